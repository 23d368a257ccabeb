// variables that programs need to run, none of which holds a secret
const INHERITED = [
  'PATH',
  'HOME',
  'LANG',
  'LC_ALL',
  'TMPDIR',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  // Windows
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
]

/** The environment of a child process: a few inherited variables and the configured ones. */
export function childEnvironment(
  configured: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of INHERITED) {
    const value = ours[name]
    // a value like this is an exported shell function, which some shells would run
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...configured }
}
