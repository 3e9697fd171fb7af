// Runs before the page is drawn, from a file of its own, since scripts in the page are forbidden: whoever chose a colour scheme sees no other.
// Mantine keeps the choice under this name and takes over from here.
function chosen(): string | null {
  try {
    return localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is forbidden.
    return null
  }
}

const scheme = chosen()
const dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset['mantineColorScheme'] = dark ? 'dark' : 'light'
