// Exits with 0 and leaves a grandchild in a session of its own that keeps stdout and stderr open for some seconds.
import { spawn } from 'node:child_process';

const grandchild = spawn('sleep', ['4'], { stdio: 'inherit', detached: true });
process.stdout.write(`${grandchild.pid}\n`);
grandchild.unref();
