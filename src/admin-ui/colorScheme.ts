// Runs before the first paint, so that the page does not flash in the wrong colour scheme. A separate file, because inline scripts are
// forbidden. Mantine stores the choice under this name and takes over later.
function storedScheme(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is not available.
    return null
  }
}

const scheme = storedScheme()
const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset['mantineColorScheme'] = dark ? 'dark' : 'light'
