/* What a page gains from a script: columns that sort, and the values under the pointer in a line. It is in
   the page, which allows no other. The page is XML: no ampersand, no less-than sign. */
(function () {
  'use strict';
  /* A number at the beginning of a cell, without commas; else its text. */
  function key(row, column) {
    var text = row.cells[column].textContent.replace(/\u2212/g, '-').replace(/,/g, '');
    var number = text.match(/^(?:\x3c )?([-+]?[0-9.]+)/);
    return number ? parseFloat(number[1]) : text;
  }
  function compare(x, y) {
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
    return x === y ? 0 : x > y ? 1 : -1;
  }
  function sort(table, head, column) {
    var down = head.getAttribute('aria-sort') === 'ascending', body = table.tBodies[0];
    var rows = Array.from(body.rows);
    table.querySelectorAll('[aria-sort]').forEach(function (h) { h.removeAttribute('aria-sort'); });
    head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
    rows.sort(function (a, b) {
      return (down ? -1 : 1) * compare(key(a, column), key(b, column));
    });
    body.append.apply(body, rows);
  }
  document.querySelectorAll('.scroll table').forEach(function (table) {
    table.querySelectorAll('thead th').forEach(function (head, column) {
      var button = document.createElement('button');
      button.append.apply(button, Array.from(head.childNodes));
      head.append(button);
      button.addEventListener('click', function () { sort(table, head, column); });
    });
  });
  document.querySelectorAll('.picture').forEach(function (picture) {
    if (!picture.querySelector('.hints')) return;
    var line = document.createElement('p');
    line.className = 'reading';
    picture.append(line);
    picture.addEventListener('pointerover', function (event) {
      var title = event.target.querySelector('title');
      if (title) line.textContent = title.textContent.replace(/\n/g, ' \u00b7 ');
    });
  });
})();
