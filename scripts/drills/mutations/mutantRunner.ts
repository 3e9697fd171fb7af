import pg from 'pg'
import type { Mutant } from '../../../test/support/mutations/mutantsOf.ts'
import { type BrokenTree, makeBrokenTree } from './brokenTree.ts'

/** `refused`: the change is no valid SQL. `undecided`: the tests fail without the change as well. */
export type MutantOutcome = 'noticed' | 'not noticed' | 'refused' | 'undecided'

type Task = { path: string; mutants: readonly Mutant[]; tests: readonly string[] }

export type MutantRunner = {
  /**
   * Makes each change and runs the tests on it. The tests must pass before and after: a failure counts only if it goes with the change.
   * Otherwise all changes are made once more on a new copy.
   */
  run(task: Task, record: (mutant: Mutant, outcome: MutantOutcome) => void): Promise<void>
  stop(): Promise<void>
}

export async function startMutantRunner(): Promise<MutantRunner> {
  let tree = await makeBrokenTree()
  const replaceTree = async () => {
    await tree.remove()
    tree = await makeBrokenTree()
  }
  return {
    run: async (task, record) => {
      let outcomes = await runOn(tree, task)
      if (outcomes === undefined) {
        await replaceTree()
        outcomes = await runOn(tree, task)
      }
      for (const mutant of task.mutants) record(mutant, outcomes?.get(mutant) ?? 'undecided')
    },
    stop: () => tree.remove(),
  }
}

/** Returns `undefined` if the tests fail without a change. */
async function runOn(tree: BrokenTree, { path, mutants, tests }: Task): Promise<Map<Mutant, MutantOutcome> | undefined> {
  const isSound = async () => {
    const { passed, output } = await tree.run(tests)
    if (!passed) console.error(`${path}: tests fail without a break\n${output}`)
    return passed
  }
  const outcomes = new Map<Mutant, MutantOutcome>()
  if (!(await isSound())) return undefined
  for (const mutant of mutants) {
    try {
      await tree.write(path, mutant.text)
      outcomes.set(mutant, (await tree.run(tests)).passed ? 'not noticed' : 'noticed')
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      outcomes.set(mutant, 'refused')
    }
    await tree.restore(path)
  }
  return (await isSound()) ? outcomes : undefined
}
