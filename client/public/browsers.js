/* oxlint-disable no-var */
// Only browsers without modules run this. They can't read newer syntax, so it uses none.
document.addEventListener('DOMContentLoaded', function () {
  var notice = document.createElement('p')
  notice.className = 'unsupported'
  notice.appendChild(
    document.createTextNode(
      'This browser is too old for DataIntell. Use Chrome or Edge 117, Firefox 119, Safari 17.4, or a newer version of them.',
    ),
  )
  var page = document.getElementById('app')
  page.innerHTML = ''
  page.appendChild(notice)
})
