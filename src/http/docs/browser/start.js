/** Opens the reference. A key is kept only in a variable and sent only to this origin. The viewer is large, so it is loaded here. */
const form = document.querySelector('#ask')
const refusal = document.querySelector('#refusal')
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void open()
})

async function open() {
  refusal.textContent = ''
  const field = document.querySelector('#key')
  const token = field?.value.trim()
  try {
    const answer = await fetch(form.dataset.url, {
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      cache: 'no-store',
      credentials: 'omit',
    })
    const content = await answer.json()
    if (!answer.ok) throw new Error(content.error.message)
    await Promise.all([loadViewer(), addSamples(content)])
    const configuration = JSON.parse(form.dataset.configuration)
    if (field) field.value = ''
    form.remove()
    document.querySelector('#operations')?.remove()
    const authentication = { preferredSecurityScheme: 'key', securitySchemes: { key: { token } } }
    Scalar.createApiReference('#reference', { ...configuration, content, ...(token ? { authentication } : {}) })
  } catch (error) {
    refusal.textContent = error.message
  }
}

/** Adds the samples of our clients to the document. If they cannot be loaded, the viewer shows none. */
async function addSamples({ paths = {} }) {
  const answer = await fetch(form.dataset.samples, { credentials: 'omit' }).catch(() => undefined)
  const samples = answer?.ok ? await answer.json() : {}
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods))) {
    if (Object.hasOwn(samples, operation.operationId ?? '')) operation['x-codeSamples'] = samples[operation.operationId]
  }
}

function loadViewer() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = form.dataset.viewer
    script.addEventListener('load', resolve)
    script.addEventListener('error', () => reject(new Error('The reference could not be loaded. Try again.')))
    document.head.append(script)
  })
}
