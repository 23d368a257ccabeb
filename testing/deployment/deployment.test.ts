import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { DRAIN_SECONDS } from '../../packages/gateway/src/cli/run-serve.ts'
import { readConfig } from '../../packages/gateway/src/config/read-config.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, 'deploy', file), 'utf8')

const ENV = {
  PUBLIC_URL: 'https://tools.example.com',
  ISSUER: 'https://login.example.com',
  REDIS_URL: 'redis://valkey:6379',
  POSTGRES_URL: 'postgres://toolsearch:secret@postgres:5432/toolsearch',
  ENCRYPTION_KEY: '0'.repeat(64),
}

const image = read('Dockerfile')
const compose = parse(read('compose.yaml'))
const kubernetes = parseAllDocuments(read('kubernetes/toolsearch.yaml')).map((document) =>
  document.toJS(),
)
const kind = (name: string) => kubernetes.find((each) => each.kind === name)
const { spec: pod } = kind('Deployment').spec.template
const [container] = pod.containers

describe('the deployment files', () => {
  it.each([
    ['deploy/toolsearch.json', read('toolsearch.json')],
    ['the ConfigMap', kind('ConfigMap').data['toolsearch.json'] as string],
  ])('have a valid configuration in %s', (file, text) => {
    expect(readConfig(text, { file, env: ENV })).toHaveProperty('config')
  })

  it('mark every placeholder of the Kubernetes example', () => {
    const lines = read('kubernetes/toolsearch.yaml').split('\n')
    const placeholders = lines.filter((line) => line.includes('example.com'))
    expect(placeholders.length).toBeGreaterThan(3)
    expect(placeholders.filter((line) => !line.includes('CHANGE'))).toEqual([])
  })

  it('run as the user of the image, without more rights', () => {
    const user = Number(/^USER (\d+)/m.exec(image)?.[1])
    expect(user).toBeGreaterThan(0)
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: user })
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(compose.services.toolsearch).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
  })

  it('reach the port that the image exposes', () => {
    const port = Number(/^EXPOSE (\d+)/m.exec(image)?.[1])
    expect(image).toContain(`"--port", "${port}"`)
    expect(container.ports).toContainEqual({ name: 'http', containerPort: port })
    expect(read('Caddyfile')).toContain(`port ${port}`)
  })

  it('mount what the image expects', () => {
    const folder = /TOOLSEARCH_CACHE=(\S+)/.exec(image)?.[1]
    const file = /TOOLSEARCH_CONFIG=(\S+)/.exec(image)?.[1]
    const mounts = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
    expect(mounts).toEqual(expect.arrayContaining([folder, join(file!, '..')]))
    expect(compose.services.toolsearch.volumes).toContain(`./toolsearch.json:${file}:ro`)
  })

  it('give a gateway the time it needs to finish its calls', () => {
    expect(Number.parseInt(compose.services.toolsearch.stop_grace_period, 10)).toBeGreaterThan(
      DRAIN_SECONDS,
    )
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(DRAIN_SECONDS)
  })

  it('select the pods of the deployment', () => {
    const { labels } = kind('Deployment').spec.template.metadata
    expect(kind('Deployment').spec.selector.matchLabels).toEqual(labels)
    expect(kind('Service').spec.selector).toEqual(labels)
    expect(kind('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
    expect(kind('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels)
  })
})
