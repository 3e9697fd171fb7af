import { shellQuote } from '../../ui/display/shellQuote.ts'

export type Configuration = {
  id: string
  /** The name of the agent. */
  name: string
  /** Where to put the configuration, with its requirements. */
  hint: string
  /** Labelled code blocks: a file with its path, or a command. */
  blocks: readonly { label: string; code: string }[]
}

type Connection = {
  /** The URL of the MCP endpoint. */
  address: string
  /** The value of a new key; a placeholder without it. */
  key: string | undefined
}

const placeholder = 'atl_YOUR_AGENT_KEY'
const variable = 'ATELIER_AGENT_KEY'

/**
 * The configuration of common agents for a Streamable HTTP server with a bearer token, as documented by their vendors in November 2026.
 * An agent without support for headers uses a bridge.
 */
export function agentConfigurations({ address, key = placeholder }: Connection): Configuration[] {
  const headers = { Authorization: `Bearer ${key}` }
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      hint: 'Run this once. Do not use --scope project: it writes the key into .mcp.json, which others can read.',
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
      hint: 'Its file does not support headers, so it uses the bridge mcp-remote, which needs Node.js. Open the file with Settings, Developer, Edit Config, and restart the app afterwards.',
      blocks: [{ label: 'claude_desktop_config.json', code: json({ mcpServers: { atelier: bridge(address, key) } }) }],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      hint: 'This file is for all your projects. Use .cursor/mcp.json in a project for that project only.',
      blocks: [{ label: '~/.cursor/mcp.json', code: json({ mcpServers: { atelier: { url: address, headers } } }) }],
    },
    vsCode(address, key),
    {
      id: 'codex',
      name: 'Codex CLI',
      hint: `Codex reads the key from its environment. Set ${variable} before you start it.`,
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
      hint: 'For any agent that supports MCP over Streamable HTTP with headers. Some call the address serverUrl, or do not accept a type.',
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
    hint: 'VS Code asks for the key when the server first starts, and stores it securely.',
    blocks: [
      { label: '.vscode/mcp.json', code: json({ inputs, servers }) },
      ...(key === placeholder ? [] : [{ label: 'Key, when asked', code: key }]),
    ],
  }
}

/** The header is in a variable, because some shells split arguments at spaces. Plain http must be allowed explicitly. */
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
