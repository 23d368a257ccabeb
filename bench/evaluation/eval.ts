import { runCommand } from '../bench-command.ts'
import { evalCommand } from './eval-command.ts'

await runCommand(async () => {
  process.exitCode = await evalCommand(process.argv.slice(2))
})
