import type { ChildProcess } from 'node:child_process'

/**
 * Copies the stderr of a child started with `stdio: 'pipe'` to that of the test process. A child that inherits stderr, or a process that
 * it leaves behind, would hold it: vitest waits for its end, so the run would not finish.
 */
export function relayStderr<Child extends ChildProcess>(child: Child): Child {
  child.stderr?.pipe(process.stderr, { end: false })
  return child
}
