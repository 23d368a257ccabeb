// Loaded into a sample before it runs: sends every request to the server in MODEL_URL instead of to
// the real service. Without one, no sample may send requests.
const realFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const { pathname, search } = new URL(request.url)
  if (!process.env.MODEL_URL) {
    console.error(`The sample sent a request to ${request.url}. Add it to conversations.ts.`)
    process.exit(70)
  }
  return realFetch(new Request(process.env.MODEL_URL + pathname + search, request))
}
