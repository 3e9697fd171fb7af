import { parseArgs } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type AgentTask, agentTasks } from '../../test/support/agents/agentTasks.ts'
import { type AgentTools, ruleDrivenAgent } from '../../test/support/agents/ruleDrivenAgent.ts'

/**
 * Plays tasks of a person against the tools of a running service, with a caller that sees only names, descriptions, schemas and results.
 * It needs `ATELIER_URL` and `ATELIER_KEY`, a key for agents with credits and the sandbox. Prints a line for each task, and exits with 1
 * when one went wrong. `--only spent,logo` plays only these; `--verbose` prints each call.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } } })
const { ATELIER_URL: url = 'http://127.0.0.1:8080', ATELIER_KEY: key } = process.env
if (!key) {
  process.stderr.write('ATELIER_KEY is not set. Set it to a key with the scope mcp.\n')
  process.exit(2)
}

const selected = values.only?.split(',')
const client = new Client({ name: 'agent drill', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
)
const { tools } = await client.listTools()
const agentTools: AgentTools = {
  tools,
  call: async (name, given) => {
    const result = await client.callTool({ name, arguments: given })
    const text = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('\n')
    if (values.verbose) process.stdout.write(`    ${name} ${JSON.stringify(given)}\n      ${text.split('\n').join('\n      ')}\n`)
    return { isError: result.isError === true, text, structured: (result.structuredContent ?? {}) as Record<string, unknown> }
  },
}
const agent = ruleDrivenAgent(agentTools)
for (const task of agentTasks.filter(({ name }) => selected?.includes(name) ?? true)) await play(task)
await client.close()

async function play({ name, says, goal, started }: AgentTask): Promise<void> {
  if (started) await agentTools.call('start_generation', started)
  const wrong = await agent
    .play(says)
    .then((outcome) => goal(outcome))
    .catch((error: unknown) => String(error))
  if (wrong !== undefined) process.exitCode = 1
  process.stdout.write(`${wrong === undefined ? 'done ' : 'WRONG'} ${name}: "${says}"${wrong === undefined ? '' : `\n      ${wrong}`}\n`)
}
