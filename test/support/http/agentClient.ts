import { type CallToolResult, Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import type { AnsweredBody, TestApp } from '../app.ts'

/** The answer of a tool; `body` is its structured content. */
export type ToolAnswer = { isError: boolean; body: AnsweredBody & { quoteId: string }; text: string; content: CallToolResult['content'] }

export type AgentClient = {
  client: Client
  call(name: string, given?: Record<string, unknown>, options?: Parameters<Client['callTool']>[1]): Promise<ToolAnswer>
}

/** The official client, connected with a key; of the newest revision, or of an older one. Closed after the test. */
export async function agentClient(
  { origin }: Pick<TestApp, 'origin'>,
  key: string,
  { era = 'modern', ...options }: { era?: 'modern' | 'legacy' } & ClientOptions = {},
): Promise<AgentClient> {
  const versionNegotiation = { mode: era === 'modern' ? ({ pin: '2026-07-28' } as const) : ('legacy' as const) }
  const client = new Client({ name: 'a test', version: '1.0.0' }, { versionNegotiation, ...options })
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  return {
    client,
    call: async (name, given = {}, callOptions) => {
      const result = await client.callTool({ name, arguments: given }, callOptions)
      const text = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('\n')
      return { isError: result.isError === true, body: result.structuredContent as ToolAnswer['body'], text, content: result.content }
    },
  }
}
