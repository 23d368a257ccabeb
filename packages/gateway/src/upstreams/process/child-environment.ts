// what programs need to find themselves and each other, and nothing that may be a secret
const PASSED_ON = [
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

/** The environment of a child: a few variables of ours by name, and what is configured. */
export function childEnvironment(
  configured: Readonly<Record<string, string>>,
  ours: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const environment: Record<string, string> = {}
  for (const name of PASSED_ON) {
    const value = ours[name]
    // a value that begins so is a shell function, which some shells would run
    if (value !== undefined && !value.startsWith('()')) environment[name] = value
  }
  return { ...environment, ...configured }
}
