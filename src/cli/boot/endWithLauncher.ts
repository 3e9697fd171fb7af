/**
 * Ends this process as SIGTERM does, when the process that started it with a channel, `bin/atelier.js`, is gone, even by SIGKILL: the system
 * closes the channel then. The channel keeps no process running. Does nothing without one.
 */
export function endWithLauncher(): void {
  if (!process.channel) return
  process.once('disconnect', () => {
    // Windows has no signals: one that this process sent itself would end it without draining.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(143)
  })
  process.channel.unref()
}
