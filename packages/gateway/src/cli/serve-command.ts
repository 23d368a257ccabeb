import { type Command, commonHelp, commonOptions } from './command.ts'

export const serveCommand: Command = {
  name: 'serve',
  summary: 'Serve all your servers as one MCP server, over stdio or HTTP',
  usage: '[--http | --inspect [PORT]] [options]',
  options: {
    config: commonOptions.config,
    http: { type: 'boolean' },
    host: { type: 'string' },
    port: { type: 'string', short: 'p' },
    inspect: { type: 'boolean' },
    profile: { type: 'string' },
    approve: { type: 'string' },
    drain: { type: 'string' },
  },
  help: [
    commonHelp[0]!,
    '--http             serve over HTTP instead of stdio, including the inspector',
    '--host ADDRESS     with --http: address to listen on (default: 127.0.0.1);',
    '                   any other than loopback requires TOOLSEARCH_TOKEN or toolsearch.identity',
    '-p, --port N       port to listen on (default: 7777 or the next free port; with --inspect,',
    '                   any free port)',
    '--inspect [PORT]   serve over stdio, and the inspector over HTTP',
    '--profile NAME     over stdio: serve a profile of the configuration; over HTTP, profiles have',
    '                   addresses of their own, such as /mcp/p/NAME',
    '--approve changed|new  withhold tools that changed, or also new ones, until you run',
    '                   toolsearch accept',
    '--drain SECONDS    with --http: how long requests in flight may take after SIGTERM',
    '                   (default: 25)',
  ],
  examples: ['toolsearch serve', 'toolsearch serve --http', 'toolsearch serve --inspect 7778'],
  run: async (call) => (await import('./run-serve.ts')).runServe(call),
}
