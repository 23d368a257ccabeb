#!/usr/bin/env node
import { version } from '../system/version.ts'
import { acceptCommand } from './accept-command.ts'
import { blockCommand } from './block-command.ts'
import { callCommand } from './call-command.ts'
import { costCommand } from './cost-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { evalCommand } from './eval-command.ts'
import { importCommand } from './import-command.ts'
import { liveCommand } from './live-command.ts'
import { missesCommand } from './misses-command.ts'
import { reviewCommand } from './review-command.ts'
import { runCommand } from './run-command.ts'
import { searchCommand } from './search-command.ts'
import { serveCommand } from './serve-command.ts'
import { signInCommand } from './sign-in-command.ts'
import { signOutCommand } from './sign-out-command.ts'
import { toolsCommand } from './tools-command.ts'

process.exitCode = await runCommand(process.argv.slice(2), {
  commands: [
    serveCommand,
    searchCommand,
    toolsCommand,
    costCommand,
    callCommand,
    doctorCommand,
    reviewCommand,
    acceptCommand,
    blockCommand,
    signInCommand,
    signOutCommand,
    importCommand,
    evalCommand,
    liveCommand,
    missesCommand,
  ],
  version,
  env: process.env,
  terminal: {
    print: (text) => void process.stdout.write(`${text}\n`),
    say: (text) => void process.stderr.write(`${text}\n`),
    hasColours: process.stdout.isTTY === true && process.env.NO_COLOR === undefined,
    width: process.stdout.columns ?? 100,
  },
})
