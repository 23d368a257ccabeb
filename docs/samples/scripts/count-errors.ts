import { mkdtemp, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openGateway } from 'toolsearch-gateway'

const folder = await realpath(await mkdtemp(join(tmpdir(), 'logs-')))
for (const day of [1, 2, 3]) {
  const lines = Array.from({ length: 500 }, (_, n) =>
    n % (day * 50) === 0 ? 'ERROR disk' : 'INFO ok',
  )
  await writeFile(join(folder, `day-${day}.log`), lines.join('\n'))
}

const gateway = await openGateway({
  mcpServers: {
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', folder] },
  },
  toolsearch: { scripts: true },
})
await gateway.ready()

// What a model would write. It reads one short line instead of three logs.
const script = `
  const days = [1, 2, 3]
  const logs = await Promise.all(
    days.map((day) => tools.files__read_text_file({ path: '${folder}/day-' + day + '.log' })),
  )
  return days.map((day, at) => ({ day, errors: logs[at].content.split('ERROR').length - 1 }))
`
const result = await gateway.callTool({ name: 'run_read_script', arguments: { script } })
console.log(result.content?.[0]?.text)
await gateway.close()
