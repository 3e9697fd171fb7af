/** Starts the closed reference. The key is kept only in a variable and sent only to this origin. */
const form = document.querySelector('#ask')
const refusal = document.querySelector('#refusal')
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void open()
})

async function open() {
  refusal.textContent = ''
  const field = document.querySelector('#key')
  const token = field.value.trim()
  try {
    const answer = await fetch('/api/v1/openapi.json', {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
    })
    const content = await answer.json()
    if (!answer.ok) throw new Error(content.error.message)
    const configuration = JSON.parse(form.dataset.configuration)
    field.value = ''
    form.remove()
    Scalar.createApiReference('#reference', {
      ...configuration,
      content,
      authentication: { preferredSecurityScheme: 'key', securitySchemes: { key: { token } } },
    })
  } catch (error) {
    refusal.textContent = error.message
  }
}
