import { join } from 'node:path'
import type { ClientFile, KnownClient } from '../known-client.ts'
import { EDITOR_VARIABLES, settingsFolder, typedEntry } from './client-parts.ts'

export const vscode: KnownClient = {
  id: 'vscode',
  label: 'VS Code',
  files(machine) {
    const { cwd } = machine
    const users = ['Code', 'Code - Insiders'].map((name) =>
      join(settingsFolder(machine), name, 'User'),
    )
    const names = ['mcp.json', 'settings.json']
    return [
      ...names.flatMap((name) => users.map((user): ClientFile => ({ file: join(user, name) }))),
      ...names.map((name) => ({ file: join(cwd, '.vscode', name), project: cwd })),
    ]
  },
  // older versions kept the servers in settings.json
  groups: (_, { file }) => [
    { path: file.endsWith('settings.json') ? ['mcp', 'servers'] : ['servers'] },
  ],
  variables: EDITOR_VARIABLES,
  ownVariables:
    /^((userHome|workspaceFolder|workspaceFolderBasename|cwd|execPath|pathSeparator|\/|(file|relativeFile)\w*|lineNumber|columnNumber|selectedText|defaultBuildTask)(:.*)?|(config|command|extensionInstallFolder):.*)$/s,
  entry: typedEntry('http'),
}
