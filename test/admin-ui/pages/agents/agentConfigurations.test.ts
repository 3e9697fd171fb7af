import { expect, test } from 'vitest'
import { agentConfigurations } from '../../../../src/admin-ui/pages/agents/agentConfigurations.ts'

const address = 'https://atelier.example.test/mcp'
const key = 'atl_0123456789'

function blockOf(id: string, label: string, connection: { address: string; key: string | undefined } = { address, key }): string {
  const blocks = agentConfigurations(connection).find((each) => each.id === id)?.blocks ?? []
  return blocks.find((each) => each.label === label)?.code ?? ''
}

test("each configuration contains the address and the key as a bearer token, in the agent's format", () => {
  const bearer = { Authorization: `Bearer ${key}` }
  expect(blockOf('claude-code', 'Command')).toBe(
    `claude mcp add --scope user --transport http atelier '${address}' \\\n  --header 'Authorization: Bearer ${key}'`,
  )
  expect(JSON.parse(blockOf('cursor', '~/.cursor/mcp.json'))).toEqual({ mcpServers: { atelier: { url: address, headers: bearer } } })
  expect(JSON.parse(blockOf('other', 'Generic JSON'))).toEqual({ mcpServers: { atelier: { type: 'http', url: address, headers: bearer } } })
  expect(JSON.parse(blockOf('claude-desktop', 'claude_desktop_config.json'))).toEqual({
    mcpServers: {
      atelier: {
        command: 'npx',
        args: ['-y', 'mcp-remote', address, '--header', 'Authorization:${AUTH_HEADER}'],
        env: { AUTH_HEADER: `Bearer ${key}` },
      },
    },
  })
  const vsCode = JSON.parse(blockOf('vs-code', '.vscode/mcp.json'))
  expect(vsCode.servers.atelier.headers.Authorization).toBe(`Bearer \${input:${vsCode.inputs[0].id}}`)
  expect(blockOf('codex', '~/.codex/config.toml').split('\n')).toEqual([
    '[mcp_servers.atelier]',
    `url = "${address}"`,
    'bearer_token_env_var = "ATELIER_AGENT_KEY"',
  ])
  expect(blockOf('codex', 'Environment')).toBe(`export ATELIER_AGENT_KEY='${key}'`)
})

test('the bridge is configured for plain http', () => {
  const { mcpServers } = JSON.parse(blockOf('claude-desktop', 'claude_desktop_config.json', { address: 'http://127.0.0.1:8080/mcp', key }))
  expect(mcpServers.atelier.args).toContain('--allow-http')
})

test('without a key the configuration contains an invalid placeholder', () => {
  const texts = agentConfigurations({ address, key: undefined }).flatMap(({ blocks }) => blocks.map(({ code }) => code))
  expect(texts.some((text) => text.includes('atl_YOUR_AGENT_KEY'))).toBe(true)
  expect(blockOf('vs-code', 'Key, when asked', { address, key: undefined })).toBe('')
})
