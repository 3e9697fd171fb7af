import type { Command } from './command.ts'
import { account } from './commands/account.ts'
import { batch } from './commands/batch.ts'
import { cancel } from './commands/cancel.ts'
import { deletion } from './commands/deletion.ts'
import { estimate } from './commands/estimate.ts'
import { families } from './commands/families.ts'
import { files } from './commands/files.ts'
import { get } from './commands/get.ts'
import { history } from './commands/history.ts'
import { keys } from './commands/keys.ts'
import { listen } from './commands/listen.ts'
import { run } from './commands/run.ts'
import { types } from './commands/types.ts'
import { upload } from './commands/upload.ts'
import { usage } from './commands/usage.ts'
import { verify } from './commands/verify.ts'
import { wait } from './commands/wait.ts'
import { webhooks } from './commands/webhooks.ts'

/** The commands, in the order of `--help`. */
export const commands: readonly Command[] = [
  families,
  estimate,
  run,
  batch,
  wait,
  get,
  history,
  cancel,
  upload,
  files,
  account,
  usage,
  keys,
  webhooks,
  deletion,
  listen,
  verify,
  types,
]
