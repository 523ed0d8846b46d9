// Says that it is there, ignores TERM and hangs: only KILL ends it.
process.on('SIGTERM', () => {});
process.stdout.write('ready\n');
setInterval(() => {}, 1000);
