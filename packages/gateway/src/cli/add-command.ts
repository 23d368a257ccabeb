import type { Command } from './command.ts'

export const addCommand: Command = {
  name: 'add',
  summary: 'Add a server to the config file',
  usage: 'NAME -- COMMAND [ARGS…] | NAME URL [options]',
  options: {
    config: { type: 'string', short: 'c' },
    env: { type: 'string', short: 'e', multiple: true },
    header: { type: 'string', short: 'H', multiple: true },
    transport: { type: 'string', short: 't' },
  },
  help: [
    '-c, --config FILE    config file (default: the standard locations;',
    '                     created as ~/.config/toolsearch/toolsearch.json if there is none)',
    '-e, --env KEY=VALUE  environment variable of the command; can be repeated.',
    `                     Write '\${NAME}' as the value to read a variable of the gateway`,
    "-H, --header 'K: V'  HTTP header of the URL; can be repeated",
    '-t, --transport KIND transport of the URL: http (default) or sse',
  ],
  examples: [
    'toolsearch add files -- npx -y @modelcontextprotocol/server-filesystem ~/notes',
    `toolsearch add github --env 'TOKEN=\${GITHUB_TOKEN}' -- github-mcp-server stdio`,
    'toolsearch add linear https://mcp.linear.app/mcp',
  ],
  run: async (call) => (await import('./run-add.ts')).runAdd(call),
}
