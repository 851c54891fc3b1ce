"""The live page of a run: `--page`, `report --follow` and `serve`.

    live_page_command.py [browser]

With this word a browser, where there is one, has to load the page again by itself.
"""
import glob
import html.parser
import http.client
import http.server
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree

import tap
from tap import (check, content, count_rows, grayling, head, interrupt, query, read, refuses, run, source, start,
                 start_slow, wait_for, work, write)

REFRESH = '<meta http-equiv="refresh" content="'


def write_recipe():
    """A run of large generations, so that its page stays short."""
    for name in ('train-1.epd', 'held-out.epd'):
        head(name, 400)
    write('moves.recipe', "name: '<b>Réti</b> & \"co\"'\nphase: evaluation\nseed: 3\n"
          'data: {train: [train-1.epd], held_out: [held-out.epd]}\n'
          'ga: {population: 1000, generations: 100000}\n')


def figures(page):
    """The figures of the live head: name, value and note."""
    live = re.search(r'<section class="live".*?</section>', page, re.S)
    return {} if live is None else {
        name: (value, note) for name, value, note in re.findall(
            r'<dt>(.*?)</dt><dd[^>]*>(.*?)</dd><dd class="note">(.*?)</dd>', live.group(), re.S)}


def links(page):
    found = []

    class Parser(html.parser.HTMLParser):
        def handle_starttag(self, tag, attributes):
            found.extend(v for n, v in attributes if n in ('src', 'href', 'action', 'srcset', 'data'))
    Parser().feed(page)
    return found


def state(page):
    return figures(page).get('State', ('', ''))[0]


# ---- --page ----

def test_page():
    child = start_slow('evolve', 'moves.recipe', '-o', 'live.db', '--page', 'live.html', '--threads', '1')
    wait_for(lambda: 'of 100000' in figures(read('live.html')).get('Generation', ('',))[0])
    page, shown = read('live.html'), figures(read('live.html'))
    pause = re.search(REFRESH + r'(\d+)"', page)  # seconds; of a page that takes long to make, more
    check('the page is there while the run goes on, and loads itself again', pause and int(pause[1]) >= 5 and
          state(page) == 'running', page[:1500])
    check('with the time left', re.match(r'\d', shown.get('Time left', ('',))[0]), shown)
    check('and the best with its interval', re.match(r'[\d.]+\s%$', shown.get('Best', ('',))[0]) and
          re.search(r'95 % interval [\d.]+ to [\d.]+', shown['Best'][1]), shown)
    check('it is well-formed, and links to nothing outside',
          xml.etree.ElementTree.fromstring(page.split('\n', 1)[1]) is not None and
          all(l.startswith(('#', 'data:')) for l in links(page)), links(page))
    check('its policy stands', "default-src 'none'" in page and page.count('<script') == 1)
    error = interrupt(child)
    page = read('live.html')
    check('at the end it is written once more, without a refresh', child.returncode == 130 and
          REFRESH not in page and state(page) == 'stopped', error)
    check('and says how to go on', 'grayling resume live.db' in figures(page)['State'][1], figures(page))
    shutil.copy('live.db', 'short.db')


def shorten():
    """Makes live.db the short run that test_page stopped, whose page is soon made."""
    for name in glob.glob('live.db*'):
        os.remove(name)
    shutil.copy('short.db', 'live.db')


def test_died():
    child = start_slow('resume', 'live.db', '--page', 'live.html', '--threads', '1')
    wait_for(lambda: state(read('live.html')) == 'running')
    child.kill()
    child.communicate()
    wait_for(lambda: state(read('live.html')) == 'died')
    page = read('live.html')
    check('when the process vanishes, the page says so and stops', state(page) == 'died' and
          REFRESH not in page, figures(page))


def test_same_file():
    """The page may be the report that the run leaves."""
    made = run('evolve', 'moves.recipe', '-o', 'same.db', '--page', 'same.html', '--set', 'ga.generations=3',
               '--set', 'ga.population=20')
    page = read('same.html')
    check('the report of a complete run is its last page', made.returncode == 0 and state(page) == 'complete' and
          page.count('class="live"') == 1 and REFRESH not in page, made.stderr)
    again = run('report', 'same.db')
    check('which a later report replaces', again.returncode == 0 and 'class="live"' not in read('same.html'), again.stderr)
    first = run('evolve', 'moves.recipe', '-o', 'first.db', '--page', 'first.page', '--set', 'ga.generations=0')
    check('a run of generation 0 only has no other to count', first.returncode == 0 and
          figures(read('first.page'))['Generation'][0] == '0', figures(read('first.page')))
    ended = run('resume', 'same.db', '--page', 'ended.page', '--generations', '1000000', '--hours', '0.00005')
    check('a run that its time ended says that', ended.returncode == 0 and
          state(read('ended.page')) == 'ended by its time', ended.stderr)


def test_refusals():
    write('mine.html', 'mine')
    for page, words in (('mine.html', 'mine.html exists'), ('/dev/null', '--page takes a file'),
                        ('none/live.html', 'cannot write none/live.html'),
                        ('./refused.db', 'would replace refused.db'), ('refused.yaml', 'would replace refused.yaml')):
        refused = run('evolve', 'moves.recipe', '-o', 'refused.db', '--page', page)
        check('--page %s is refused before the run' % page, refused.returncode == 2 and words in refused.stderr and
              not os.path.exists('refused.db') and not os.path.exists('refused.yaml'), refused.stderr)
    check('and nothing is overwritten', read('mine.html') == 'mine')
    refused = run('resume', 'live.db', '--page', 'live.db', '--force')
    check('--page does not replace the run, whatever is forced', refused.returncode == 2 and
          'would replace live.db' in refused.stderr and content('live.db')[:15] == b'SQLite format 3', refused)
    write_night()
    refuses('nor the parameters of a stage', 'would replace apart-second.yaml', 'evolve', 'night.recipe', '-o',
            'apart.db', '--page', 'apart-second.yaml', absent='apart.db')


# ---- report --follow ----

def is_noted_running():
    """True once the run itself has noted that it works; its file is locked some time before."""
    noted = query('live.db', "SELECT value FROM property WHERE run_id = 1 AND key = 'state'")
    return [row[0] for row in noted] == ['running']


def test_follow():
    shorten()
    child = start_slow('resume', 'live.db', '--threads', '1')
    wait_for(is_noted_running)
    follower = start('report', 'live.db', '--follow', '-o', 'follow.html')
    wait_for(lambda: REFRESH in read('follow.html'))
    check('report --follow writes a page that loads itself again', state(read('follow.html')) == 'running')
    error = interrupt(follower)
    check('Ctrl-C ends it in order, and not the run', follower.returncode == 0 and child.poll() is None and
          REFRESH not in read('follow.html'), error)
    follower = start('report', 'live.db', '--follow', '-o', 'follow.html', '--force')
    wait_for(lambda: REFRESH in read('follow.html'))
    interrupt(child, signal.SIGTERM)
    error = follower.communicate()[1]
    check('it ends with the run', follower.returncode == 0 and state(read('follow.html')) == 'stopped' and
          REFRESH not in read('follow.html'), error)
    check('and leaves nothing else', not [n for n in os.listdir() if n.startswith('follow.html.')], os.listdir())


# ---- serve ----

def start_server(*arguments):
    child = start('serve', *arguments, stdout=subprocess.PIPE)
    first = child.stdout.readline()
    found = re.match(r'page +http://127\.0\.0\.1:(\d+)/$', first)
    return child, int(found.group(1)) if found else 0


def ask(port, path='/', method='GET', host=None, body=None):
    """Status, headers and body of an answer. `host` '' leaves the header out."""
    connection = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
    connection.putrequest(method, path, skip_host=True)
    if host != '':
        connection.putheader('Host', host or '127.0.0.1:%d' % port)
    if body:
        connection.putheader('Content-Length', str(len(body)))
    connection.endheaders(body)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, dict((k.lower(), v) for k, v in answer.getheaders()), text


def check_protocol(port):
    code, headers, page = ask(port)
    check('the server gives the live page', code == 200 and headers['content-type'].startswith('text/html') and
          state(page) == 'running' and REFRESH in page, page[:1500])
    check('with headers that keep others out', headers.get('x-content-type-options') == 'nosniff' and
          headers.get('x-frame-options') == 'DENY' and re.search("script-src '[^']*'", page).group() in headers['content-security-policy'] and
          headers.get('cache-control') == 'no-store' and 'access-control-allow-origin' not in headers, headers)
    code, headers, text = ask(port, '/status.json')

    def same_status():  # both of one moment: what is told of a verdict comes and goes with the best
        served, said = json.loads(ask(port, '/status.json')[2]), run('status', 'live.db', '--format', 'json').stdout
        return served['state'] == 'running' and served.keys() == json.loads(said).keys()
    check('and the status, as `status` gives it', code == 200 and wait_for(same_status) and
          headers['content-type'].startswith('application/json'), text)
    code, headers, text = ask(port, method='HEAD')
    check('HEAD has no body', code == 200 and text == '' and int(headers['content-length']) > 1000, headers)
    for method in ('POST', 'PUT', 'DELETE', 'OPTIONS'):
        code, headers, text = ask(port, method=method, body=b'x' * 10)
        check(method + ' is not allowed', code == 405 and headers.get('allow') == 'GET, HEAD', (code, headers))
    check('an unknown path is not there', ask(port, '/../live.db')[0] == 404 and ask(port, '/live.db')[0] == 404)
    for host in ('evil.example', 'evil.example:%d' % port, '127.0.0.1', 'localhost:1', '127.0.0.1:%d.evil.example' % port, ''):
        code = ask(port, host=host)[0]
        check('the host "%s" is refused' % host.replace(str(port), 'PORT'), code in (400, 421), code)
    for host in ('localhost:%d', 'LocalHost:%d', '[::1]:%d'):
        check('the host "%s" is its own' % host.replace('%d', 'PORT'), ask(port, host=host % port)[0] == 200)


def check_together(port):
    """An open connection that says nothing does not keep others waiting."""
    silent = socket.create_connection(('127.0.0.1', port))
    answers = []
    askers = [threading.Thread(target=lambda: answers.append(ask(port)[0])) for _ in range(8)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    silent.close()
    check('eight requests at once are answered', answers == [200] * 8, answers)
    outside = [a[4][0] for a in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
               if not a[4][0].startswith('127.')]
    reached = []
    for address in outside:
        try:
            socket.create_connection((address, port), timeout=5).close()
            reached.append(address)
        except OSError:
            pass
    check('other addresses of the machine do not reach it', not reached, reached)


def check_slow(port):
    """Connections that begin a request and go on byte by byte, for ever, do not keep others waiting."""
    slow, answered = [socket.create_connection(('127.0.0.1', port), timeout=60) for _ in range(70)], threading.Event()
    for connection in slow:
        connection.sendall(b'GET / HTTP/1.1\r\nX: ')

    def go_on():
        while not answered.wait(0.2):
            for connection in slow:
                try:
                    connection.sendall(b'x')
                except OSError:
                    pass  # the server has ended it
    writer = threading.Thread(target=go_on)
    writer.start()
    try:
        code = ask(port)[0]
    except OSError as reason:
        code = reason
    answered.set()
    writer.join()
    check('seventy slow connections do not block the server', code == 200, code)
    for connection in slow:
        connection.close()


def check_pipelined(port):
    """Of two requests in one packet the first is answered, and the client is told to ask again."""
    one = 'GET /status.json HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n' % port
    with socket.create_connection(('127.0.0.1', port), timeout=60) as connection:
        connection.sendall(2 * one.encode())
        got = b''.join(iter(lambda: connection.recv(1 << 16), b''))
    check('a connection has one answer', got.count(b'HTTP/1.1 200') == 1 and b'\r\nConnection: close\r\n' in got, got)


STAGE = ("  %s:\n    %srecipe: |\n      name: s\n      data: {train: [train-1.epd]}\n"
         "      ga: {population: 6, generations: 2}\n")


def write_night():
    write('night.recipe', 'name: night\nphase: night\nseed: 1\nstages:\n' + STAGE % ('first', '') +
            STAGE % ('second', 'seeds: first\n    '))


def page_of_night(port=0):
    """The page of a server that may know an earlier one, or of a new server."""
    server = None
    if port == 0:
        server, port = start_server('night.db', '--port', '0')
    page = ask(port)[2]
    if server is not None:
        server.terminate()
        server.communicate()
    return re.sub(r'<section class="live".*?</section>', '', page, flags=re.S)


def test_night():
    """What has ended is read once; a stage that goes on, or is made again, is read again."""
    write_night()
    made = run('evolve', 'night.recipe', '-o', 'night.db', '--threads', '1')
    server, port = start_server('night.db', '--port', '0')
    first = page_of_night(port)
    check('the page of a night', made.returncode == 0 and 'second' in first and first == page_of_night(), made.stderr)
    resumed = run('resume', 'night.db', '--again', 'first', '--generations', '3')
    wait_for(lambda: page_of_night(port) != first)
    then = page_of_night(port)
    check('a server that knew it tells of a stage that went on, and of one that was made again',
          resumed.returncode == 0 and then != first and then == page_of_night(), resumed.stderr)
    server.terminate()
    server.communicate()


def test_no_page():
    """What has a status and no page is refused before the server tells where it is."""
    write('several.recipe', 'name: several\nphase: night\nseed: 1\nstages:\n' + STAGE % ('small', 'runs: 2\n    ') +
            '  match:\n    games: 2\n    limit: 20\n    openings: %s\n    players:\n' %
            os.path.join(source, 'data', 'openings.epd') +
            ''.join('      %s: {evaluation: random, search: %s}\n' % (word, word) for word in ('random', 'plain')))
    made = run('evolve', 'several.recipe', '-o', 'several.db', '--threads', '1')
    for stage, words in (('small', 'no run of this name has begun; begun so far: small-1, small-2'),
                         ('match', 'is a match')):
        refused = run('serve', 'several.db#' + stage, '--port', '0')
        check('the stage %s has no page to serve' % stage, made.returncode == 0 and refused.returncode == 2 and
              refused.stdout == '' and words in refused.stderr, made.stderr + refused.stderr)


def check_browser(live, last):
    """A browser loads the page again as long as it says so, here every second, and then no more."""
    browser = shutil.which('chromium')
    if browser is None:
        check('in a browser # SKIP no chromium', True)
        return
    loads = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path == '/':
                loads.append(time.time())
            body = (live if len(loads) < 3 else last).encode()
            self.send_response(200 if self.path == '/' else 404)
            self.send_header('Content-Type', 'text/html; charset=utf-8')
            self.send_header('Content-Length', str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open('browser.log', 'w') as log:
        shown = subprocess.Popen(
            [browser, '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
             '--user-data-dir=' + os.path.join(work, 'profile'), '--enable-logging=stderr',
             '--remote-debugging-port=0', 'http://127.0.0.1:%d/' % server.server_port],
            stdout=log, stderr=log, env=dict(os.environ, HOME=work), start_new_session=True)
        wait_for(lambda: len(loads) >= 3)
        time.sleep(1.7)
        os.killpg(shown.pid, signal.SIGKILL)
        shown.wait()
    server.shutdown()
    console = [l for l in read('browser.log').splitlines() if ':CONSOLE' in l]
    check('a browser loads the page again, until the last one', len(loads) == 3, loads)
    check('and has nothing to complain about', not console, console)


def check_last_page():
    """The last page is of the run as it ended, however short before that another was made."""
    shorten()
    generations = count_rows('live.db', 'generation')
    child = start_slow('resume', 'live.db', '--threads', '1')
    wait_for(lambda: count_rows('live.db', 'generation') > generations)
    server, port = start_server('live.db', '--port', '0')
    before, generations = ask(port)[2], count_rows('live.db', 'generation')
    wait_for(lambda: count_rows('live.db', 'generation') > generations)
    interrupt(child)
    wait_for(lambda: REFRESH not in ask(port)[2])
    page = ask(port)[2]
    check('once the run has ended, the whole page is of its end', REFRESH in before and 'running, read' not in page and
          'stopped after generation ' + figures(page)['Generation'][0] in page, figures(page))
    server.terminate()
    server.communicate()


def test_serve():
    refuses('a port that is none is refused', '--port takes', 'serve', 'live.db', '--port', '70000')
    refuses('so is a run that is none', 'none.db', 'serve', 'none.db')
    shorten()
    child = start_slow('resume', 'live.db', '--threads', '1')
    wait_for(is_noted_running)
    server, port = start_server('live.db', '--port', '0')
    if port == 0 and 'libmicrohttpd' in server.communicate()[1]:
        check('serve # SKIP built without libmicrohttpd', True)
        child.kill()
        child.communicate()
    else:
        rest = server.stdout.readline() + server.stdout.readline()
        check('it tells how to reach it from elsewhere', 'ssh -L %d:127.0.0.1:%d ' % (port, port) in rest, rest)
        check_protocol(port)
        check_together(port)
        check_slow(port)
        check_pipelined(port)
        live = re.sub(REFRESH + r'\d+"', REFRESH + '1"', ask(port)[2])
        refuses('a port in use is an error', 'port %d is in use' % port, 'serve', 'live.db', '--port', str(port),
                code=1)
        with open('/dev/full', 'w') as full:
            lost = subprocess.run([grayling, 'serve', 'live.db', '--port', '0'], stdout=full, stderr=subprocess.PIPE,
                                  text=True, timeout=60)
        check('it ends if nobody learns where it serves', lost.returncode == 1 and
              'cannot write standard output' in lost.stderr, lost.stderr)
        child.kill()
        child.communicate()
        seen = []

        def is_dead():
            seen.append(ask(port)[2])
            return state(seen[-1]) == 'died' and REFRESH not in seen[-1]
        check('the server sees a run die', wait_for(is_dead), [state(page) for page in seen[-3:]])
        if 'browser' in sys.argv:
            check_browser(live, ask(port)[2])
        server.send_signal(signal.SIGINT)
        error = server.communicate()[1]
        check('Ctrl-C ends it in order', server.returncode == 0, error)
        server = start_server('live.db', '--port', '0')[0]
        server.terminate()
        error = server.communicate()[1]
        check('and so does SIGTERM', server.returncode == 0, error)
        check_last_page()


write_recipe()
tap.main()
