import {
  Alert,
  Badge,
  Button,
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core'

// Every pair of colours in use reaches WCAG 2.2 AA: 4.5:1 for text, 3:1 for the edges of fields and for focus.
const parley: MantineColorsTuple = [
  '#ecf7f5',
  '#d5ebe7',
  '#acd8d0',
  '#84c7bb',
  '#62b8aa',
  '#3fa193',
  '#1d7e72',
  '#126b60',
  '#0e554d',
  '#0a3f3a',
]
const dark: MantineColorsTuple = [
  '#dbe2e1',
  '#b6c0bf',
  '#94a09f',
  '#6f7c7b',
  '#3b4746',
  '#2d3837',
  '#202928',
  '#171e1e',
  '#111717',
  '#0b1010',
]

export const theme = createTheme({
  primaryColor: 'parley',
  primaryShade: { light: 7, dark: 6 },
  colors: { parley, dark },
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Alert: Alert.extend({ defaultProps: { variant: 'light' } }),
    Badge: Badge.extend({ styles: { root: { textTransform: 'none', fontWeight: 600, letterSpacing: 0 } } }),
    // Without the component itself, which is loaded when a dialog is first opened. Its <header> is no banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Button: Button.extend({ styles: { root: { fontWeight: 600 } } }),
  },
})

// Mantine's own greys and reds for these are lighter than AA allows.
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-text': '#1a2423',
    '--mantine-color-dimmed': '#55615f',
    '--mantine-color-placeholder': '#66716f',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': parley[7],
    '--mantine-color-default-border': '#dde4e2',
    '--mantine-color-default-color': '#1a2423',
  },
  dark: {
    '--mantine-color-text': dark[0],
    '--mantine-color-dimmed': '#a3aead',
    '--mantine-color-placeholder': dark[2],
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-anchor': parley[3],
    '--mantine-color-default-border': dark[5],
    '--mantine-color-default-color': dark[0],
    '--mantine-color-parley-light': '#12332f',
    '--mantine-color-parley-light-color': parley[2],
  },
})

// public/assets/color-scheme-1.js reads the same key before the first paint.
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'parley-color-scheme' })
