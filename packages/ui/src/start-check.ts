/**
 * The first script of a page, and the only one that must run in any browser: it imports nothing, and the build
 * translates it to the JavaScript of 2015. Where the app cannot run, or has not started, it shows a plain page instead
 * of leaving the page's first shape there for ever. An app that starts later replaces that page.
 */

/** After this time a page that has not started says so. */
const PATIENCE_MS = 30_000

/** What the app needs, and has nothing instead of. The newest of each kind stands for those before it. */
const NEEDS: readonly (() => boolean)[] = [
  () => 'toSorted' in Array.prototype,
  () => 'timeout' in AbortSignal,
  () => 'inert' in HTMLElement.prototype,
  () => CSS.supports('height', '1dvh') && CSS.supports('selector(:has(a))'),
  () => /(?<=a)b/.test('ab'),
]

type Words = { title: string; hint: string; again: string }

/** `old`: the browser lacks something; `stuck`: the app ended with an error, or does not come. */
const WORDS: Readonly<Record<string, Readonly<Record<'old' | 'stuck', Words>>>> = {
  en: {
    old: {
      title: 'This browser is too old',
      hint: 'Update it, or the system of your phone, or open this address in another browser:',
      again: 'Try again',
    },
    stuck: {
      title: 'The page has not started',
      hint: 'Load it again. If that does not help, open this address in another browser:',
      again: 'Load again',
    },
  },
  zh: {
    old: {
      title: '此浏览器版本过旧',
      hint: '请更新浏览器或手机系统，或用其他浏览器打开此网址：',
      again: '重试',
    },
    stuck: {
      title: '页面未能启动',
      hint: '请重新加载。如果仍然不行，请用其他浏览器打开此网址：',
      again: '重新加载',
    },
  },
  'zh-TW': {
    old: {
      title: '此瀏覽器版本過舊',
      hint: '請更新瀏覽器或手機系統，或用其他瀏覽器開啟此網址：',
      again: '重試',
    },
    stuck: {
      title: '頁面未能啟動',
      hint: '請重新載入。如果仍然不行，請用其他瀏覽器開啟此網址：',
      again: '重新載入',
    },
  },
  ja: {
    old: {
      title: 'このブラウザは古すぎます',
      hint: 'ブラウザまたは端末のシステムを更新するか、別のブラウザでこのアドレスを開いてください：',
      again: '再試行',
    },
    stuck: {
      title: 'ページを開始できませんでした',
      hint: 'もう一度読み込んでください。解決しない場合は、別のブラウザでこのアドレスを開いてください：',
      again: '再読み込み',
    },
  },
  ko: {
    old: {
      title: '브라우저가 너무 오래되었습니다',
      hint: '브라우저나 휴대전화 시스템을 업데이트하거나, 다른 브라우저에서 이 주소를 여세요:',
      again: '다시 시도',
    },
    stuck: {
      title: '페이지가 시작되지 않았습니다',
      hint: '다시 불러오세요. 그래도 안 되면 다른 브라우저에서 이 주소를 여세요:',
      again: '다시 불러오기',
    },
  },
  vi: {
    old: {
      title: 'Trình duyệt này quá cũ',
      hint: 'Hãy cập nhật trình duyệt hoặc hệ điều hành của điện thoại, hoặc mở địa chỉ này bằng trình duyệt khác:',
      again: 'Thử lại',
    },
    stuck: {
      title: 'Trang chưa khởi động được',
      hint: 'Hãy tải lại. Nếu vẫn không được, hãy mở địa chỉ này bằng trình duyệt khác:',
      again: 'Tải lại',
    },
  },
  id: {
    old: {
      title: 'Peramban ini terlalu lama',
      hint: 'Perbarui peramban atau sistem ponsel Anda, atau buka alamat ini di peramban lain:',
      again: 'Coba lagi',
    },
    stuck: {
      title: 'Halaman belum dapat dimulai',
      hint: 'Muat ulang. Jika tidak membantu, buka alamat ini di peramban lain:',
      again: 'Muat ulang',
    },
  },
}

/** Reads as false where the browser does not even know the words of a test. */
function isThere(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return false
  }
}

/** The chosen language, else the browser's, else English; it need not be as exact as the app's own choice. */
function language(): string {
  const stored = storedText('locale')
  if (stored && WORDS[stored]) return stored
  const tag = (navigator.language || 'en').toLowerCase()
  if (/^zh.*(hant|tw|hk|mo)/.test(tag)) return 'zh-TW'
  const short = (tag.split('-')[0] ?? '').replace('in', 'id')
  return WORDS[short] ? short : 'en'
}

function storedText(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    // All site data is blocked.
    return null
  }
}

/** Whether the page still has the shape with which it came, or nothing. */
function isUnstarted(root: Element): boolean {
  const first = root.firstElementChild
  return !first || /boot-/.test(first.className)
}

function show(root: Element, why: 'old' | 'stuck'): void {
  const locale = language()
  const words = (WORDS[locale] as (typeof WORDS)[string])[why]
  const note = document.createElement('main')
  note.className = 'boot-note'
  note.lang = locale
  note.append(
    element('h1', words.title),
    element('p', words.hint),
    element('p', location.origin + location.pathname),
  )
  const again = element('button', words.again)
  again.addEventListener('click', () => location.reload())
  note.append(again)
  root.textContent = ''
  root.append(note)
  const loader = document.getElementById('boot')
  if (loader) loader.remove()
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

// The app keeps to it; here the page does not begin in other colours than it goes on in.
const scheme = storedText('scheme')
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme

const root = document.getElementById('root')
if (root) {
  const isOld = !NEEDS.every(isThere)
  const check = () => isUnstarted(root) && show(root, isOld ? 'old' : 'stuck')
  // After the error, React has removed what it had shown.
  const checkSoon = () => setTimeout(check)
  if (isOld) {
    check()
    // So that the app does not start where only a part of it would work.
    root.removeAttribute('id')
  }
  // Failures to load a script do not bubble up to the window.
  addEventListener(
    'error',
    ({ target }) => {
      if (target === window || target instanceof HTMLScriptElement) checkSoon()
    },
    true,
  )
  addEventListener('unhandledrejection', checkSoon)
  setTimeout(check, PATIENCE_MS)
}
