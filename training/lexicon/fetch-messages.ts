import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Packages with texts in many languages, all under MIT, Apache-2.0 or the Unicode licence. */
const PACKAGES = [
  'cldr-annotations-full@48.2.0',
  'cldr-dates-full@48.2.0',
  '@node-red/nodes@5.0.7',
  '@node-red/editor-client@5.0.7',
  '@payloadcms/translations@3.90.2',
  '@clerk/localizations@4.18.0',
  'iobroker.admin@8.0.17',
  'iobroker.javascript@9.1.1',
  'iobroker.telegram@6.0.2',
  'iobroker.email@3.0.0',
  'iobroker.ical@1.21.1',
  'iobroker.daswetter@4.5.10',
  'iobroker.openweathermap@2.0.0',
  'iobroker.scenes@5.1.0',
  'iobroker.web@8.1.0',
  '@iobroker/adapter-react-v5@8.3.3',
]

/** Downloads the packages that are not cached yet, without installing them. Returns their folders. */
export function fetchMessages(cache: string): string[] {
  return PACKAGES.map((name) => {
    const folder = join(cache, name.replace('@', '').replace('/', '-').replace(/@/, '-'))
    if (!existsSync(join(folder, 'package.json'))) {
      mkdirSync(folder, { recursive: true })
      const output = execFileSync('npm', ['pack', name, '--silent', '--ignore-scripts'], {
        cwd: cache,
        encoding: 'utf8',
      })
      const tarball = output.trim().split('\n').at(-1)!
      const to = ['-C', folder, '--strip-components=1']
      execFileSync('tar', ['xzf', join(cache, tarball), ...to])
    }
    return folder
  })
}
