// Loaded into the server before anything else: whoever started it holds a channel to it, and when
// that closes because the starter was killed, the server ends as if it had been asked to.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// A terminal that was closed must not turn the orderly end into a crash.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
