// The minimal gateway: forwards JSON-RPC to one server, line by line.
//   node bare-relay.js COMMAND ARGS…             over stdio
//   PORT=… node bare-relay.js COMMAND ARGS…      over HTTP, one response per POST
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'

const [command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })
child.on('exit', () => process.exit(0))
process.on('SIGTERM', () => child.kill())

const { PORT } = process.env
if (PORT === undefined) {
  process.stdin.pipe(child.stdin)
  child.stdout.pipe(process.stdout)
} else {
  const waiting = new Map()
  let next = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    const entry = waiting.get(message.id)
    if (!entry || message.method !== undefined) return
    waiting.delete(message.id)
    entry.response.writeHead(200, { 'content-type': 'application/json' })
    entry.response.end(JSON.stringify({ ...message, id: entry.id }))
  })
  createServer((request, response) => {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const message = JSON.parse(Buffer.concat(chunks).toString())
      if (message.id === undefined) {
        response.writeHead(202).end()
      } else {
        const id = next++
        waiting.set(id, { id: message.id, response })
        message.id = id
      }
      child.stdin.write(`${JSON.stringify(message)}\n`)
    })
  }).listen(Number(PORT), '127.0.0.1')
}
