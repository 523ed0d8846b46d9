// Exits with 0 at once and leaves a grandchild in its group. Arguments: `quiet` (the grandchild holds no pipe) or
// `holding` (it keeps stdout and stderr open); `stubborn` as well: it ignores TERM.
import { spawn } from 'node:child_process';

const stdio = process.argv.includes('holding') ? 'inherit' : 'ignore';
const script = process.argv.includes('stubborn')
  ? 'trap "" TERM; sleep 60 & wait; sleep 60'
  : 'sleep 60';
const grandchild = spawn('sh', ['-c', script], { stdio });
process.stdout.write(`${grandchild.pid}\n`);
grandchild.unref();
