/** The exit code of a process that SIGTERM ended: 128 and the number of the signal. */
const terminatedCode = 143

/**
 * Ends this process like SIGTERM when its launcher `bin/atelier.js` ends. The system closes their IPC channel then, even after SIGKILL. The
 * channel does not keep this process running. Without a channel, does nothing.
 */
export function endWithLauncher(): void {
  if (!process.channel) return
  process.once('disconnect', () => {
    // Not `process.kill`: on Windows it would end this process at once, without draining.
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(terminatedCode)
  })
  process.channel.unref()
}
