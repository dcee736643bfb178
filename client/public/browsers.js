/* oxlint-disable no-var */
// Only browsers without modules run this. They can't read newer syntax, so it uses none.
document.addEventListener('DOMContentLoaded', function () {
  var page = document.getElementById('app')
  var notice = document.createElement('p')
  notice.className = 'unsupported'
  notice.appendChild(
    document.createTextNode(
      'This browser is too old for DataIntell. Use ' +
        page.getAttribute('data-browsers') +
        ', or a newer version of them.',
    ),
  )
  page.innerHTML = ''
  page.appendChild(notice)
})
