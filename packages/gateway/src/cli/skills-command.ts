import { type Command, cachedHelp, cachedOptions } from './command.ts'

export const skillsCommand: Command = {
  name: 'skills',
  summary: 'List the skills of servers and folders, and read them',
  usage: '[SKILL…] [options]',
  options: cachedOptions,
  help: [
    ...cachedHelp,
    'SKILL              show only these skills or files of skills, with their content',
  ],
  examples: [
    'toolsearch skills',
    'toolsearch skills skill:wiki/release-notes',
    'toolsearch skills skill:wiki/release-notes/references/STYLE.md',
    'toolsearch skills --json',
  ],
  run: async (call) => (await import('./run-skills.ts')).runSkills(call),
}
