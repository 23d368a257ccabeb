import { render } from 'preact'
import { GatewayProvider } from './api/gateway-provider.tsx'
import { createTokenStore } from './api/token-store.ts'
import { App } from './app.tsx'
import { Announcements } from './parts/announce.tsx'
import { storageOf } from './parts/storage-of.ts'
import { applyTheme, readTheme } from './parts/theme.ts'

applyTheme(readTheme())
const tokens = createTokenStore(storageOf('sessionStorage'))
render(
  <>
    <Announcements />
    <GatewayProvider tokens={tokens}>
      <App />
    </GatewayProvider>
  </>,
  document.querySelector('#app')!,
)
