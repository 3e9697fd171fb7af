import { shellQuote } from '../../ui/display/shellQuote.ts'

export type Configuration = {
  id: string
  /** The agent. */
  name: string
  /** Where the lines go, and what to know about them. */
  hint: string
  /** Each with what it is: a file by its path, a command. */
  blocks: readonly { label: string; code: string }[]
}

type Connection = {
  /** The address of the door for agents. */
  address: string
  /** Right after it was issued; otherwise a placeholder stands in its place. */
  key: string | undefined
}

const placeholder = 'atl_YOUR_AGENT_KEY'
const variable = 'ATELIER_AGENT_KEY'

/**
 * How common agents are told of a Streamable HTTP server that takes a bearer. Each as its own documents had it in November 2026; an agent
 * whose file knows no headers gets them through a bridge.
 */
export function agentConfigurations({ address, key = placeholder }: Connection): Configuration[] {
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      hint: 'Run this once. With --scope project it would be written into .mcp.json, which others see: keep the key out of that.',
      blocks: [
        {
          label: 'Command',
          code: `claude mcp add --scope user --transport http atelier ${shellQuote(address)} \\\n  --header ${shellQuote(`Authorization: Bearer ${key}`)}`,
        },
      ],
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      hint: 'Its file starts programs and knows no headers, so mcp-remote stands between; it needs Node.js. Settings, Developer, Edit Config opens the file; start the app again afterwards.',
      blocks: [{ label: 'claude_desktop_config.json', code: json({ mcpServers: { atelier: bridge(address, key) } }) }],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      hint: 'For all your projects; .cursor/mcp.json in a project is for that one alone.',
      blocks: [{ label: '~/.cursor/mcp.json', code: json({ mcpServers: { atelier: { url: address, headers } } }) }],
    },
    vsCode(address, key),
    {
      id: 'codex',
      name: 'Codex CLI',
      hint: `Codex takes the key from its environment: set ${variable} where it is started.`,
      blocks: [
        { label: 'Environment', code: `export ${variable}=${shellQuote(key)}` },
        {
          label: '~/.codex/config.toml',
          code: `[mcp_servers.atelier]\nurl = ${JSON.stringify(address)}\nbearer_token_env_var = "${variable}"`,
        },
      ],
    },
    {
      id: 'other',
      name: 'Other',
      hint: 'Any agent that speaks MCP over Streamable HTTP and can send a header. Many take this form; some call the address serverUrl, or want the type left out.',
      blocks: [{ label: 'Generic JSON', code: json({ mcpServers: { atelier: { type: 'http', url: address, headers } } }) }],
    },
  ]
}

function vsCode(address: string, key: string): Configuration {
  const servers = { atelier: { type: 'http', url: address, headers: { Authorization: 'Bearer ${input:atelier-key}' } } }
  const inputs = [{ type: 'promptString', id: 'atelier-key', description: 'Atelier agent key', password: true }]
  return {
    id: 'vs-code',
    name: 'VS Code',
    hint: 'VS Code asks for the key when the server first starts, and keeps it in its own safe place.',
    blocks: [
      { label: '.vscode/mcp.json', code: json({ inputs, servers }) },
      ...(key === placeholder ? [] : [{ label: 'Key, when asked', code: key }]),
    ],
  }
}

/** The header comes by a variable: where spaces in arguments are cut, it would be broken. Plain http has to be allowed. */
function bridge(address: string, key: string) {
  const plain = address.startsWith('http:') ? ['--allow-http'] : []
  return {
    command: 'npx',
    args: ['-y', 'mcp-remote', address, ...plain, '--header', 'Authorization:${AUTH_HEADER}'],
    env: { AUTH_HEADER: `Bearer ${key}` },
  }
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
