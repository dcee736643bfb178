// Search of the page of the API: hides calls and groups without all of the words, and opens the call in the address.
const input = document.querySelector('input[type=search]')
const none = document.getElementById('none')
const groups = [...document.querySelectorAll('section')].map((section) => ({
  section,
  calls: [...section.querySelectorAll('details')].map((call) => ({
    call,
    text: call.querySelector('summary').textContent.toLowerCase(),
  })),
}))

input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  let found = 0
  for (const { section, calls } of groups) {
    const title = section.querySelector('h2').textContent.toLowerCase()
    for (const { call, text } of calls) {
      call.hidden = !words.every((word) => `${title} ${text}`.includes(word))
      if (!call.hidden) found += 1
    }
    section.hidden = calls.every(({ call }) => call.hidden)
  }
  none.textContent = found > 0 ? '' : 'No call contains these words.'
})

const openLinked = () => {
  const linked = document.getElementById(location.hash.slice(1))
  if (linked?.tagName === 'DETAILS') linked.open = true
}
addEventListener('hashchange', openLinked)
openLinked()
