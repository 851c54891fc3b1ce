"""Build step: compiles the files of tables into C, as one text, lab_data.

    embed.py TABLE.yaml... OUT.c
"""
import sys

text = b''.join(open(name, 'rb').read() for name in sys.argv[1:-1])
with open(sys.argv[-1], 'w') as out:
    out.write('#include <stddef.h>\n\nconst char lab_data[] = {\n')
    for at in range(0, len(text), 16):
        out.write(''.join('%d,' % (byte if byte < 128 else byte - 256) for byte in text[at:at + 16]) + '\n')
    out.write('};\nconst size_t lab_data_size = sizeof lab_data;\n')
