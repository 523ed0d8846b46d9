// Writes to stdout for ever.
const block = Buffer.alloc(65_536, 'z');
const flood = () => {
  while (process.stdout.write(block));
  process.stdout.once('drain', flood);
};
process.stdout.on('error', () => process.kill(process.pid, 'SIGKILL'));
flood();
