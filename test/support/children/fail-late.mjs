// Writes a good beginning, then fails: an answer of status 200 would have been sent by now.
process.stdout.write('good beginning\n');
setTimeout(() => {
  process.stderr.write('fatal: the late failure\n');
  process.exitCode = 3;
}, 30);
