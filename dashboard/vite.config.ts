import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// The Host stays the browser's (Vite's short form would change it): the server refuses writes from another origin.
const server = { target: 'http://127.0.0.1:3000', changeOrigin: false }

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // The content security policy allows data: URIs for images only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  // /docs is linked from Home; the server makes it, and it reads /openapi.json.
  server: { proxy: { '/api': server, '/v1': server, '/docs': server, '/openapi.json': server } },
})
