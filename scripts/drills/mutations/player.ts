import pg from 'pg'
import type { Mutant } from '../../../test/support/mutations/mutantsOf.ts'
import { type BrokenTree, makeBrokenTree } from './brokenTree.ts'

/** `refused`: the change is no valid SQL. `undecided`: the tests fail without the change as well. */
export type Played = 'noticed' | 'not noticed' | 'refused' | 'undecided'

type Task = { path: string; mutants: readonly Mutant[]; tests: readonly string[] }

export type Player = {
  /**
   * Makes each change and runs the tests on it. The tests must pass before and after: a failure counts only if it goes with the change.
   * Otherwise all changes are played once more on a new copy.
   */
  play(task: Task, record: (mutant: Mutant, played: Played) => void): Promise<void>
  stop(): Promise<void>
}

export async function startPlayer(): Promise<Player> {
  let tree = await makeBrokenTree()
  const replaceTree = async () => {
    await tree.remove()
    tree = await makeBrokenTree()
  }
  return {
    play: async (task, record) => {
      let played = await playOn(tree, task)
      if (played === undefined) {
        await replaceTree()
        played = await playOn(tree, task)
      }
      for (const mutant of task.mutants) record(mutant, played?.get(mutant) ?? 'undecided')
    },
    stop: () => tree.remove(),
  }
}

/** Returns `undefined` if the tests fail without a change. */
async function playOn(tree: BrokenTree, { path, mutants, tests }: Task): Promise<Map<Mutant, Played> | undefined> {
  const isSound = async () => {
    const { passed, output } = await tree.run(tests)
    if (!passed) console.error(`${path}: tests fail without a break\n${output}`)
    return passed
  }
  const played = new Map<Mutant, Played>()
  if (!(await isSound())) return undefined
  for (const mutant of mutants) {
    try {
      await tree.write(path, mutant.text)
      played.set(mutant, (await tree.run(tests)).passed ? 'not noticed' : 'noticed')
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      played.set(mutant, 'refused')
    }
    await tree.restore(path)
  }
  return (await isSound()) ? played : undefined
}
