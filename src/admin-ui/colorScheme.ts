// Runs before the page is drawn, from a file of its own, since scripts in the page are forbidden: whoever chose a colour scheme sees no other.
// Mantine keeps the choice under this name and takes over from here.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
document.documentElement.dataset['mantineColorScheme'] = dark ? 'dark' : 'light'
