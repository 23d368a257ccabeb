import { undoFolder } from '../system/data-folders.ts'
import { createFileChanges } from '../system/file-changes.ts'
import { type Command, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { plain } from './plain.ts'

export const undoCommand: Command = {
  name: 'undo',
  summary: 'Restore the files that the latest change wrote',
  usage: '[ID] [options]',
  options: { list: { type: 'boolean', short: 'l' }, json: { type: 'boolean' } },
  help: [
    'ID                 the change to undo, from --list (default: the latest)',
    '-l, --list         list the changes that can be undone, latest first',
    '--json             print JSON',
  ],
  examples: ['toolsearch undo', 'toolsearch undo --list'],
  async run({ values, args, terminal, env }) {
    if (args.length > 1) throw new UsageError('Specify at most one change.')
    const changes = createFileChanges(undoFolder(env))
    if (values.list) {
      const list = await changes.list()
      if (values.json) terminal.print(JSON.stringify(list, null, 2))
      else if (list.length === 0) terminal.say('Nothing to undo.')
      else {
        for (const { id, title, at, files } of list) {
          const time = new Date(at).toLocaleString('sv')
          terminal.print(plain(`${id}  ${time}  ${title}`))
          for (const file of files) terminal.print(plain(`    ${file}`))
        }
      }
      return OK
    }
    const undone = await changes.undo(args[0])
    if (values.json) {
      terminal.print(JSON.stringify(undone ?? {}, null, 2))
      return undone && 'restored' in undone ? OK : FAILED
    }
    if (undone === undefined) {
      const missing = `There is no change "${args[0]}". Run toolsearch undo --list.`
      terminal.say(args[0] === undefined ? 'Nothing to undo.' : plain(missing))
      return FAILED
    }
    if ('conflict' in undone) {
      terminal.say('Nothing was restored, because these files were edited since:')
      for (const file of undone.conflict) terminal.say(plain(`  ${file}`))
      terminal.say('Undo your edits first, or edit the files yourself.')
      return FAILED
    }
    terminal.print(plain(`Undone: ${undone.title}`))
    for (const file of undone.restored) terminal.print(plain(`  ${file}`))
    return OK
  },
}
