// Writes far more to stderr than a pipe holds, one line without end among it, then a last sentence.
import { writeSync } from 'node:fs';

const line = `${'x'.repeat(1000)}\n`;
for (let index = 0; index < 500; index++) writeSync(2, line);
writeSync(2, 'y'.repeat(4000));
writeSync(2, '\nfatal: the last sentence\n');
process.exitCode = 1;
