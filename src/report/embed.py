"""Build step: compiles text files, one after another, into C as one string.

    embed.py NAME FILE... OUT.c
"""
import sys

text = b''.join(open(name, 'rb').read() for name in sys.argv[2:-1]) + b'\0'
with open(sys.argv[-1], 'w') as out:
    out.write('extern const char %s[];\nconst char %s[] = {\n' % (sys.argv[1], sys.argv[1]))
    for at in range(0, len(text), 16):
        out.write(''.join('%d,' % (byte if byte < 128 else byte - 256) for byte in text[at:at + 16]) + '\n')
    out.write('};\n')
