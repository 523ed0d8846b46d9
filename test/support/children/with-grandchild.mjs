// Hangs together with a grandchild, as upload-pack does with pack-objects; both end on TERM.
import { spawn } from 'node:child_process';

const grandchild = spawn('sleep', ['60'], { stdio: 'inherit' });
process.stdout.write(`${grandchild.pid}\n`);
