// Loaded into the server before anything else. The process that started the server holds a channel
// to it; when that process is killed the channel closes, and the server ends as on SIGTERM.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
// After the terminal is closed, writing fails; that must not turn an orderly end into a crash.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
