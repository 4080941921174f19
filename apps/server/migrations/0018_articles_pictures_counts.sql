-- What the operator publishes; the pictures that players upload; counts of what is done too often.

-- An article stands once, and its words once in each language; English is always there.
create table content.category (
  id integer generated always as identity primary key,
  position integer not null default 0
);
create table content.category_name (
  category_id integer not null references content.category on delete cascade,
  lang text not null,
  name text not null check (name <> ''),
  primary key (category_id, lang)
);

create table content.article (
  id integer generated always as identity primary key,
  category_id integer not null references content.category,
  -- A path of the app's own, or empty.
  image text not null default '',
  -- Among the hot topics.
  top boolean not null default false,
  -- From when it can be read; null while it is a draft.
  published_at timestamptz
);
create index article_by_category on content.article (category_id, published_at desc);
create table content.article_text (
  article_id integer not null references content.article on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  -- Made safe before it was stored.
  html text not null,
  primary key (article_id, lang)
);

create table content.announcement (
  id integer generated always as identity primary key,
  published_at timestamptz
);
create table content.announcement_text (
  announcement_id integer not null references content.announcement on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  html text not null,
  primary key (announcement_id, lang)
);
-- Up to when a player has read the announcements.
create table content.announcement_reader (
  player_id integer primary key references accounts.player,
  read_at timestamptz not null
);

create table content.about (
  lang text primary key,
  html text not null
);

create table content.promo (
  id integer generated always as identity primary key,
  position integer not null,
  image text not null,
  shown boolean not null default true
);
create table content.promo_title (
  promo_id integer not null references content.promo on delete cascade,
  lang text not null,
  title text not null check (title <> ''),
  primary key (promo_id, lang)
);

grant select, insert, update, delete on content.category, content.category_name, content.article,
  content.article_text, content.announcement, content.announcement_text, content.about,
  content.promo, content.promo_title to sum28_application;
grant select, insert, update on content.announcement_reader to sum28_application;

-- The pictures that players uploaded: the file's name, and whose it is.
create table accounts.uploaded_picture (
  player_id integer not null references accounts.player,
  name text not null unique check (name ~ '^[0-9a-f]{32}\.webp$'),
  created_at timestamptz not null default app.now(),
  primary key (player_id, name)
);
grant select, insert, update, delete on accounts.uploaded_picture to sum28_application;

create index player_by_inviter on accounts.player (inviter_id, id desc) where inviter_id is not null;

-- How often something was done that must not be done too often. Keys are keyed hashes: people type a
-- password into the wrong field, and nobody's address needs to be kept.
create table accounts.counter (
  key bytea primary key,
  tries integer not null default 1,
  since timestamptz not null default app.now(),
  last_at timestamptz not null default app.now()
);
create index counter_by_age on accounts.counter (last_at);

-- How long to wait after so many tries, of which some are free: a second, doubled for each more.
create function accounts.wait_after(tries integer, free integer, wait_max integer) returns interval
language sql immutable
return case when tries < free then interval '0'
  else make_interval(secs => least(2 ^ least(tries - free, 30), wait_max)) end;

-- From which networks a player has signed in.
create table accounts.known_network (
  player_id integer not null references accounts.player,
  network_hash bytea not null,
  last_at timestamptz not null default app.now(),
  primary key (player_id, network_hash)
);
create index known_network_by_age on accounts.known_network (last_at);

grant select, insert, update, delete on accounts.counter, accounts.known_network
  to sum28_application;

-- What a fresh installation says for itself, until its operator says something else. The HTML below is
-- what would be left of it after it was made safe: a test compares.

insert into content.category (position) values (1), (2), (3);
insert into content.category_name (category_id, lang, name) values
  (1, 'en', 'The draw'),
  (1, 'zh', '开奖'),
  (1, 'zh-TW', '開獎'),
  (1, 'ja', '抽選'),
  (1, 'ko', '추첨'),
  (1, 'vi', 'Mở thưởng'),
  (1, 'id', 'Undian'),
  (2, 'en', 'Money'),
  (2, 'zh', '资金'),
  (2, 'zh-TW', '資金'),
  (2, 'ja', 'お金'),
  (2, 'ko', '자금'),
  (2, 'vi', 'Tiền'),
  (2, 'id', 'Uang'),
  (3, 'en', 'Playing with care'),
  (3, 'zh', '理性游戏'),
  (3, 'zh-TW', '理性遊戲'),
  (3, 'ja', '節度ある遊び方'),
  (3, 'ko', '건전한 이용'),
  (3, 'vi', 'Chơi có chừng mực'),
  (3, 'id', 'Bermain dengan bijak');

insert into content.article (category_id, image, top, published_at) values
  (1, '/banners/fairness.svg', true, app.now() - interval '2 days'),
  (1, '/banners/exact.svg', false, app.now() - interval '4 days'),
  (1, '/banners/rounds.svg', false, app.now() - interval '6 days'),
  (2, '', true, app.now() - interval '3 days'),
  (3, '', true, app.now() - interval '1 days');
insert into content.article_text (article_id, lang, title, html) values
  (1, 'en', 'How a draw is made, and how you can check it',
    '<p>Each round ends with three digits from 0 to 9. They are worked out from two numbers, neither of which can be chosen once bets are in.</p><ol><li><strong>The seed.</strong> Before the first bet, a secret number is fixed and its fingerprint is published. Another seed would have another fingerprint.</li><li><strong>The closed book.</strong> Betting ends before the draw, and the list of all bets gets a fingerprint too. No bet can be added, removed or changed after that without being noticed.</li><li><strong>The beacon.</strong> Only then does a beacon publish its next signed random number. Which one counts was named when the round opened.</li><li><strong>The digits.</strong> Seed and beacon go through one fixed recipe. Bets are no part of it.</li></ol><p>On the <a href="/fairness">fairness page</a> your own device works any past round out again and shows its result beside ours. That page also says who runs the beacon: where it is the operator himself, as in a demonstration, he could know results early.</p>'),
  (1, 'zh', '开奖如何产生，又如何核对',
    '<p>每一期以三个 0 到 9 的数字结束。它们由两个数算出，而这两个数在投注之后谁也无法再挑选。</p><ol><li><strong>种子。</strong>在第一笔投注之前，先定下一个秘密数字，并公布它的指纹。换一个种子，指纹就不同。</li><li><strong>封存的清单。</strong>投注在开奖前截止，全部投注的清单也会生成指纹。此后增加、删除或改动任何一笔，都会被发现。</li><li><strong>信标。</strong>这时信标才发布下一个带签名的随机数。采用哪一个，在本期开放时就已写明。</li><li><strong>数字。</strong>种子与信标按固定的算法得出结果，投注不参与计算。</li></ol><p>在<a href="/fairness">公平开奖页面</a>，您自己的设备可以把任何一期重新算一遍，并与我们公布的结果并排显示。该页面也会写明信标由谁运行：如果由运营方自己运行（例如演示环境），运营方有可能提前知道结果。</p>'),
  (1, 'zh-TW', '開獎如何產生，又如何查驗',
    '<p>每一期以三個 0 到 9 的數字結束。它們由兩個數算出，而這兩個數在投注之後誰也無法再挑選。</p><ol><li><strong>種子。</strong>在第一筆投注之前，先定下一個秘密數字，並公布它的指紋。換一個種子，指紋就不同。</li><li><strong>封存的清單。</strong>投注在開獎前截止，全部投注的清單也會產生指紋。此後增加、刪除或更動任何一筆，都會被發現。</li><li><strong>信標。</strong>這時信標才發布下一個附有簽章的隨機數。採用哪一個，在本期開放時就已寫明。</li><li><strong>數字。</strong>種子與信標依固定的算法得出結果，投注不參與計算。</li></ol><p>在<a href="/fairness">公平開獎頁面</a>，您自己的裝置可以把任何一期重新算一遍，並與我們公布的結果並排顯示。該頁面也會寫明信標由誰運作：若由營運方自行運作（例如展示環境），營運方有可能提前知道結果。</p>'),
  (1, 'ja', '抽選のしくみと確かめ方',
    '<p>どの回も、0から9までの数字3つで終わります。数字は2つの数から計算され、どちらもベットの後に選び直すことはできません。</p><ol><li><strong>シード。</strong>最初のベットの前に秘密の数を決め、その指紋を公開します。シードが違えば指紋も違います。</li><li><strong>締め切った一覧。</strong>ベットは抽選の前に締め切られ、一覧全体にも指紋が付きます。その後に足したり、消したり、変えたりすればわかります。</li><li><strong>ビーコン。</strong>その後に初めて、ビーコンが署名付きの次の乱数を発表します。どの乱数を使うかは、回が始まるときに示されています。</li><li><strong>数字。</strong>シードとビーコンを決まった手順に通します。ベットは計算に入りません。</li></ol><p><a href="/fairness">公正な抽選のページ</a>では、お使いの端末が過去のどの回でも計算し直し、公開された結果と並べて表示します。ビーコンを誰が運用しているかも同じページに書かれています。デモのように運営者自身が運用している場合、運営者は結果を事前に知ることができます。</p>'),
  (1, 'ko', '추첨은 어떻게 이루어지고, 어떻게 확인하나요',
    '<p>모든 회차는 0부터 9까지의 숫자 세 개로 끝납니다. 이 숫자는 두 개의 수에서 계산되며, 베팅이 끝난 뒤에는 어느 쪽도 골라 바꿀 수 없습니다.</p><ol><li><strong>시드.</strong> 첫 베팅 전에 비밀 숫자를 정하고 그 지문을 공개합니다. 시드가 다르면 지문도 다릅니다.</li><li><strong>마감된 목록.</strong> 베팅은 추첨 전에 마감되고 전체 목록에도 지문이 만들어집니다. 그 뒤로 넣거나 빼거나 바꾸면 드러납니다.</li><li><strong>비컨.</strong> 그제야 비컨이 서명된 다음 난수를 발표합니다. 어떤 난수를 쓸지는 회차가 열릴 때 이미 정해져 있습니다.</li><li><strong>숫자.</strong> 시드와 비컨을 정해진 방법으로 계산합니다. 베팅은 계산에 들어가지 않습니다.</li></ol><p><a href="/fairness">공정한 추첨 페이지</a>에서는 사용 중인 기기가 지난 회차를 다시 계산해 공개된 결과와 나란히 보여 줍니다. 누가 비컨을 운영하는지도 그 페이지에 적혀 있습니다. 시연 환경처럼 운영자가 직접 운영하는 경우에는 운영자가 결과를 미리 알 수도 있습니다.</p>'),
  (1, 'vi', 'Kết quả được tạo ra thế nào và bạn kiểm tra ra sao',
    '<p>Mỗi kỳ kết thúc bằng ba chữ số từ 0 đến 9. Chúng được tính từ hai con số, và không ai có thể chọn lại con số nào sau khi đã có cược.</p><ol><li><strong>Seed.</strong> Trước cược đầu tiên, một số bí mật được ấn định và dấu vân tay của nó được công bố. Seed khác thì dấu vân tay cũng khác.</li><li><strong>Danh sách đã đóng.</strong> Việc nhận cược kết thúc trước khi mở thưởng, và cả danh sách cược cũng có một dấu vân tay. Sau đó, thêm, bớt hay sửa cược nào cũng sẽ bị phát hiện.</li><li><strong>Beacon.</strong> Chỉ khi đó beacon mới công bố số ngẫu nhiên tiếp theo, có chữ ký. Số nào được dùng đã được nêu khi kỳ mở.</li><li><strong>Các chữ số.</strong> Seed và beacon đi qua một công thức cố định. Các cược không tham gia vào phép tính.</li></ol><p>Trên <a href="/fairness">trang mở thưởng công bằng</a>, thiết bị của bạn tính lại bất kỳ kỳ nào đã qua và đặt kết quả cạnh kết quả của chúng tôi. Trang đó cũng cho biết ai vận hành beacon: nếu là chính nhà điều hành, như trong bản dùng thử, họ có thể biết trước kết quả.</p>'),
  (1, 'id', 'Bagaimana undian dibuat dan cara memeriksanya',
    '<p>Setiap ronde berakhir dengan tiga angka dari 0 sampai 9. Angka itu dihitung dari dua bilangan, dan tidak satu pun dapat dipilih lagi setelah taruhan masuk.</p><ol><li><strong>Seed.</strong> Sebelum taruhan pertama, sebuah angka rahasia ditetapkan dan sidik jarinya diumumkan. Seed lain akan punya sidik jari lain.</li><li><strong>Daftar yang ditutup.</strong> Taruhan berakhir sebelum undian, dan seluruh daftar taruhan juga diberi sidik jari. Setelah itu, taruhan yang ditambah, dihapus, atau diubah akan ketahuan.</li><li><strong>Beacon.</strong> Baru setelah itu beacon mengumumkan angka acak berikutnya yang ditandatangani. Angka mana yang dipakai sudah disebut saat ronde dibuka.</li><li><strong>Tiga angka.</strong> Seed dan beacon diolah dengan resep tetap. Taruhan tidak ikut dihitung.</li></ol><p>Di <a href="/fairness">halaman undian yang adil</a>, perangkat Anda sendiri menghitung ulang ronde mana pun yang sudah lewat dan menampilkannya di samping hasil kami. Halaman itu juga menyebut siapa yang menjalankan beacon: jika operator sendiri, seperti pada demo, ia dapat mengetahui hasil lebih awal.</p>'),
  (2, 'en', 'Odds, chance and return: what the numbers say',
    '<p>Every play shows three numbers before you bet.</p><ul><li><strong>Odds</strong> are what a win pays for each unit staked. They include the stake: at odds of 1.92, a stake of 100 u pays 192 u, and 92 u of that is profit.</li><li><strong>Chance</strong> is how often the play wins. Of the 1,000 possible draws, 500 are long, so its chance is 50%.</li><li><strong>Return</strong> is odds times chance: what comes back of each unit on average. 1.92 at 50% is a return of 96%.</li></ul><p>A return below 100% means that, over many rounds, players as a whole get back less than they stake. The difference is what the house earns. One round can go either way.</p><p>Odds belong to a room and are fixed in your bet when it is accepted. All rooms and all plays stand on the <a href="/rules">rules page</a>, which anybody can read without an account.</p>'),
  (2, 'zh', '赔率、概率与返还率：这些数字说明什么',
    '<p>投注之前，每种玩法都会显示三个数字。</p><ul><li><strong>赔率</strong>是中奖时每投注 1 u 派付的金额，已包含投注额：赔率 1.92 时，投注 100 u 派付 192 u，其中 92 u 是盈利。</li><li><strong>概率</strong>是这种玩法中奖的频率。在 1,000 种可能的结果中有 500 种为多，因此概率是 50%。</li><li><strong>返还率</strong>等于赔率乘以概率，即每投注 1 u 平均返还的比例。赔率 1.92、概率 50%，返还率就是 96%。</li></ul><p>返还率低于 100% 意味着：期数一多，全体玩家得回的会少于投注的。差额就是平台的收入。单独一期则可赢可输。</p><p>赔率按房间设定，投注被接受时即固定在您的注单里。所有房间和玩法都列在<a href="/rules">规则页面</a>，没有账号也能阅读。</p>'),
  (2, 'zh-TW', '賠率、機率與返還率：這些數字說明什麼',
    '<p>投注之前，每種玩法都會顯示三個數字。</p><ul><li><strong>賠率</strong>是中獎時每投注 1 u 派付的金額，已包含投注額：賠率 1.92 時，投注 100 u 派付 192 u，其中 92 u 是獲利。</li><li><strong>機率</strong>是這種玩法中獎的頻率。在 1,000 種可能的結果中有 500 種為多，因此機率是 50%。</li><li><strong>返還率</strong>等於賠率乘以機率，即每投注 1 u 平均返還的比例。賠率 1.92、機率 50%，返還率就是 96%。</li></ul><p>返還率低於 100% 意味著：期數一多，全體玩家得回的會少於投注的。差額就是平台的收入。單獨一期則可贏可輸。</p><p>賠率依房間設定，投注被接受時即固定在您的注單裡。所有房間和玩法都列在<a href="/rules">規則頁面</a>，沒有帳號也能閱讀。</p>'),
  (2, 'ja', 'オッズ・確率・還元率の読み方',
    '<p>どの賭け方にも、ベットの前に3つの数字が表示されます。</p><ul><li><strong>オッズ</strong>は、当たったときにベット額1 uあたり支払われる額です。ベット額を含みます。オッズ1.92なら100 uのベットに192 uが支払われ、そのうち92 uが利益です。</li><li><strong>確率</strong>は、その賭け方が当たる割合です。1,000通りの結果のうちロングは500通りなので、確率は50%です。</li><li><strong>還元率</strong>は、オッズに確率を掛けたもので、1 uあたり平均して戻る割合です。オッズ1.92で確率50%なら、還元率は96%です。</li></ul><p>還元率が100%より低いということは、回数を重ねると、プレイヤー全体では賭けた額より戻る額が少なくなるということです。その差が運営者の収入です。1回ごとの結果はどちらにもなります。</p><p>オッズは部屋ごとに決まり、ベットが受け付けられた時点の値で固定されます。すべての部屋と賭け方は<a href="/rules">ルールのページ</a>にあり、アカウントがなくても読めます。</p>'),
  (2, 'ko', '배당률, 확률, 환급률 읽는 법',
    '<p>베팅하기 전에 모든 항목에 세 가지 숫자가 표시됩니다.</p><ul><li><strong>배당률</strong>은 당첨되었을 때 베팅한 1 u당 지급되는 금액이며 베팅 금액이 포함됩니다. 배당률이 1.92이면 100 u를 베팅해 192 u를 받고, 그중 92 u가 수익입니다.</li><li><strong>확률</strong>은 그 항목이 당첨되는 비율입니다. 가능한 1,000가지 결과 중 롱이 500가지이므로 확률은 50%입니다.</li><li><strong>환급률</strong>은 배당률에 확률을 곱한 값으로, 1 u당 평균적으로 돌아오는 비율입니다. 배당률 1.92에 확률 50%이면 환급률은 96%입니다.</li></ul><p>환급률이 100%보다 낮다는 것은, 회차가 쌓일수록 이용자 전체가 베팅한 것보다 적게 돌려받는다는 뜻입니다. 그 차이가 운영자의 수입입니다. 한 회차의 결과는 어느 쪽도 될 수 있습니다.</p><p>배당률은 방마다 정해져 있으며 베팅이 접수되는 순간의 값으로 고정됩니다. 모든 방과 항목은 <a href="/rules">규칙 페이지</a>에 있으며 계정 없이도 읽을 수 있습니다.</p>'),
  (2, 'vi', 'Tỷ lệ cược, xác suất và hoàn trả nói lên điều gì',
    '<p>Trước khi bạn đặt cược, mỗi cửa đều hiện ba con số.</p><ul><li><strong>Tỷ lệ cược</strong> là số tiền trả cho mỗi đơn vị đã cược khi thắng, đã gồm tiền cược: với tỷ lệ 1,92, cược 100 u được trả 192 u, trong đó 92 u là lãi.</li><li><strong>Xác suất</strong> là mức độ thường xuyên cửa đó thắng. Trong 1.000 kết quả có thể có, 500 kết quả là long, nên xác suất là 50%.</li><li><strong>Hoàn trả</strong> là tỷ lệ cược nhân với xác suất: phần trung bình nhận lại trên mỗi đơn vị. 1,92 với xác suất 50% là hoàn trả 96%.</li></ul><p>Hoàn trả dưới 100% nghĩa là qua nhiều kỳ, toàn bộ người chơi nhận lại ít hơn số đã cược. Phần chênh lệch là thu nhập của nhà điều hành. Riêng một kỳ thì có thể thắng hoặc thua.</p><p>Tỷ lệ cược thuộc về từng phòng và được cố định trong cược của bạn khi cược được nhận. Mọi phòng và mọi cửa đều có trên <a href="/rules">trang luật chơi</a>, ai cũng đọc được mà không cần tài khoản.</p>'),
  (2, 'id', 'Odds, peluang, dan pengembalian: arti angkanya',
    '<p>Sebelum Anda bertaruh, setiap pilihan menampilkan tiga angka.</p><ul><li><strong>Odds</strong> adalah yang dibayarkan untuk tiap unit taruhan bila menang, termasuk nilai taruhan: pada odds 1,92, taruhan 100 u dibayar 192 u, dan 92 u di antaranya adalah untung.</li><li><strong>Peluang</strong> adalah seberapa sering pilihan itu menang. Dari 1.000 hasil yang mungkin, 500 adalah long, jadi peluangnya 50%.</li><li><strong>Pengembalian</strong> adalah odds dikali peluang: rata-rata yang kembali dari tiap unit. Odds 1,92 dengan peluang 50% berarti pengembalian 96%.</li></ul><p>Pengembalian di bawah 100% berarti bahwa setelah banyak ronde, semua pemain bersama-sama menerima kurang dari yang mereka pertaruhkan. Selisihnya adalah pendapatan operator. Satu ronde bisa menang, bisa kalah.</p><p>Odds ditetapkan per ruang dan terkunci dalam taruhan Anda saat diterima. Semua ruang dan pilihan ada di <a href="/rules">halaman aturan</a>, yang dapat dibaca siapa pun tanpa akun.</p>'),
  (3, 'en', 'When a round cannot be drawn',
    '<p>The seed and the number of the beacon value are fixed before a round opens. If the value comes late, the draw is late, but it is the same draw.</p><p>If the value has not come within the time that the rules name, the round is void: every stake in it is returned in full and shows as refunded in your bet history. A bet that loses is lost and is not returned.</p><p>Times, limits and odds of every room stand on the <a href="/rules">rules page</a>.</p>'),
  (3, 'zh', '某一期无法开奖时',
    '<p>种子和所用信标值的编号在每一期开放前就已固定。信标值来得晚，开奖就晚，但仍是同一次开奖。</p><p>如果在规则写明的时间内信标值仍未到来，本期作废：其中每一笔投注额全额退还，并在投注记录中显示为已退款。未中奖的投注不予退还。</p><p>各房间的时间、限额和赔率都列在<a href="/rules">规则页面</a>。</p>'),
  (3, 'zh-TW', '某一期無法開獎時',
    '<p>種子和所用信標值的編號在每一期開放前就已固定。信標值來得晚，開獎就晚，但仍是同一次開獎。</p><p>如果在規則寫明的時間內信標值仍未到來，本期作廢：其中每一筆投注額全額退還，並在投注記錄中顯示為已退款。未中獎的投注不予退還。</p><p>各房間的時間、限額和賠率都列在<a href="/rules">規則頁面</a>。</p>'),
  (3, 'ja', '抽選できない回はどうなるか',
    '<p>シードと、使うビーコンの値の番号は、回が始まる前に決まっています。値の発表が遅れれば抽選も遅れますが、抽選の結果は同じです。</p><p>ルールに示した時間内に値が発表されないとき、その回は無効になります。ベット額は全額返金され、ベット履歴に返金済みと表示されます。外れたベットは返金されません。</p><p>各部屋の時間、限度額、オッズは<a href="/rules">ルールのページ</a>にあります。</p>'),
  (3, 'ko', '추첨할 수 없는 회차는 어떻게 되나요',
    '<p>시드와 사용할 비컨 값의 번호는 회차가 열리기 전에 정해집니다. 값이 늦게 오면 추첨도 늦어지지만 결과는 같습니다.</p><p>규칙에 적힌 시간 안에 값이 오지 않으면 그 회차는 무효가 됩니다. 모든 베팅 금액이 전액 환불되며 베팅 내역에 환불로 표시됩니다. 당첨되지 않은 베팅은 환불되지 않습니다.</p><p>방마다의 시간, 한도, 배당률은 <a href="/rules">규칙 페이지</a>에 있습니다.</p>'),
  (3, 'vi', 'Khi một kỳ không thể mở thưởng',
    '<p>Seed và số thứ tự của giá trị beacon được ấn định trước khi kỳ mở. Nếu giá trị đến muộn thì mở thưởng muộn, nhưng kết quả vẫn là một.</p><p>Nếu giá trị không đến trong thời gian nêu trong luật chơi, kỳ đó bị hủy: mọi tiền cược được hoàn lại đầy đủ và hiện là đã hoàn trong lịch sử cược. Cược thua thì mất và không được hoàn.</p><p>Thời gian, hạn mức và tỷ lệ cược của từng phòng có trên <a href="/rules">trang luật chơi</a>.</p>'),
  (3, 'id', 'Bila sebuah ronde tidak dapat diundi',
    '<p>Seed dan nomor nilai beacon ditetapkan sebelum ronde dibuka. Jika nilainya terlambat, undian pun terlambat, tetapi hasilnya tetap sama.</p><p>Jika nilainya tidak datang dalam waktu yang disebut dalam aturan, ronde dibatalkan: semua taruhan di dalamnya dikembalikan penuh dan tampil sebagai dikembalikan di riwayat taruhan. Taruhan yang kalah tidak dikembalikan.</p><p>Waktu, batas, dan odds setiap ruang ada di <a href="/rules">halaman aturan</a>.</p>'),
  (4, 'en', 'Depositing by USDT',
    '<p>Every member has a deposit address of his own on the TRON network. You find it on the deposit page, as text and as a QR code.</p><ul><li>Send only USDT, and only over TRC20. Anything else sent to this address is lost.</li><li>1 USDT becomes 1 u. The network fee is charged by your wallet or exchange, not by us.</li><li>The transfer is shown as soon as it is seen, and credited once the network can no longer undo it. That usually takes a few minutes.</li><li>Each transfer is credited once, whoever sent it.</li></ul><p>Visitors register as full members first. If a transfer does not show up, send its transaction number to support. Nobody from support will ever ask for your password, security code or wallet words.</p>'),
  (4, 'zh', '用 USDT 充值',
    '<p>每位会员在 TRON 网络上都有自己的充值地址。您可以在充值页面找到它，有文字也有二维码。</p><ul><li>请只转入 USDT，并且只用 TRC20。以其他币种或其他网络转入的资产将无法找回。</li><li>1 USDT 计为 1 u。网络手续费由您的钱包或交易所收取，与我们无关。</li><li>转账一被发现就会显示，待网络不可能再撤销它时入账，通常需要几分钟。</li><li>每笔转账只入账一次，不论由谁转出。</li></ul><p>游客需先注册成为正式会员。如果转账没有显示，请把交易编号发给客服。客服绝不会索要您的密码、安全码或钱包助记词。</p>'),
  (4, 'zh-TW', '用 USDT 儲值',
    '<p>每位會員在 TRON 網路上都有自己的儲值地址。您可以在儲值頁面找到它，有文字也有 QR 碼。</p><ul><li>請只轉入 USDT，並且只用 TRC20。以其他幣別或其他網路轉入的資產將無法找回。</li><li>1 USDT 計為 1 u。網路手續費由您的錢包或交易所收取，與我們無關。</li><li>轉帳一被發現就會顯示，待網路不可能再撤銷它時入帳，通常需要幾分鐘。</li><li>每筆轉帳只入帳一次，不論由誰轉出。</li></ul><p>訪客需先註冊成為正式會員。如果轉帳沒有顯示，請把交易編號傳給客服。客服絕不會索取您的密碼、安全碼或錢包助記詞。</p>'),
  (4, 'ja', 'USDTでの入金',
    '<p>会員には1人ずつ、TRONネットワーク上の専用の入金アドレスがあります。入金ページに文字とQRコードで表示されます。</p><ul><li>USDTのみを、TRC20でお送りください。それ以外をこのアドレスに送ると失われます。</li><li>1 USDTは1 uになります。ネットワーク手数料はウォレットや取引所が請求するもので、当社の手数料ではありません。</li><li>送金は見つかりしだい表示され、ネットワーク上で取り消せなくなった時点で入金されます。通常は数分かかります。</li><li>送金は、誰が送ったものでも1回だけ入金されます。</li></ul><p>ゲストの方は、先に正会員としてご登録ください。送金が表示されないときは、取引番号をサポートへお知らせください。サポートがパスワード、セキュリティコード、ウォレットの復元フレーズをお尋ねすることはありません。</p>'),
  (4, 'ko', 'USDT로 입금하기',
    '<p>회원마다 TRON 네트워크에 본인 전용 입금 주소가 있습니다. 입금 페이지에 문자와 QR 코드로 표시됩니다.</p><ul><li>반드시 USDT만, TRC20으로만 보내 주세요. 이 주소로 보낸 다른 자산은 되찾을 수 없습니다.</li><li>1 USDT는 1 u가 됩니다. 네트워크 수수료는 지갑이나 거래소가 부과하며 저희가 받는 것이 아닙니다.</li><li>송금은 확인되는 대로 표시되고, 네트워크에서 되돌릴 수 없게 되면 잔액에 반영됩니다. 보통 몇 분 걸립니다.</li><li>누가 보냈든 송금 한 건은 한 번만 반영됩니다.</li></ul><p>비회원은 먼저 정회원으로 가입해 주세요. 송금이 보이지 않으면 거래 번호를 고객센터에 알려 주세요. 고객센터는 비밀번호, 보안 코드, 지갑 복구 문구를 절대 묻지 않습니다.</p>'),
  (4, 'vi', 'Nạp tiền bằng USDT',
    '<p>Mỗi thành viên có một địa chỉ nạp riêng trên mạng TRON. Bạn thấy địa chỉ này ở trang nạp tiền, dưới dạng chữ và mã QR.</p><ul><li>Chỉ gửi USDT và chỉ qua TRC20. Mọi thứ khác gửi đến địa chỉ này sẽ bị mất.</li><li>1 USDT thành 1 u. Phí mạng do ví hoặc sàn của bạn thu, không phải chúng tôi.</li><li>Giao dịch hiện ra ngay khi được phát hiện và được cộng tiền khi mạng không thể đảo ngược nữa, thường mất vài phút.</li><li>Mỗi giao dịch chỉ được cộng một lần, dù do ai gửi.</li></ul><p>Khách cần đăng ký thành viên chính thức trước. Nếu giao dịch không hiện ra, hãy gửi mã giao dịch cho bộ phận hỗ trợ. Bộ phận hỗ trợ không bao giờ hỏi mật khẩu, mã bảo mật hay cụm từ khôi phục ví của bạn.</p>'),
  (4, 'id', 'Deposit dengan USDT',
    '<p>Setiap anggota punya alamat deposit sendiri di jaringan TRON. Alamat itu ada di halaman deposit, sebagai teks dan kode QR.</p><ul><li>Kirim hanya USDT, dan hanya lewat TRC20. Apa pun selain itu yang dikirim ke alamat ini akan hilang.</li><li>1 USDT menjadi 1 u. Biaya jaringan dipungut oleh dompet atau bursa Anda, bukan oleh kami.</li><li>Transfer ditampilkan begitu terlihat, dan dikreditkan setelah jaringan tidak dapat membatalkannya lagi. Biasanya perlu beberapa menit.</li><li>Setiap transfer dikreditkan satu kali, siapa pun pengirimnya.</li></ul><p>Tamu perlu mendaftar sebagai anggota penuh terlebih dahulu. Jika transfer tidak muncul, kirimkan nomor transaksinya ke layanan bantuan. Layanan bantuan tidak akan pernah meminta kata sandi, kode keamanan, atau frasa pemulihan dompet Anda.</p>'),
  (5, 'en', 'Keep play small',
    '<p>The return of every play is printed, and none is above 100%. Over time, playing costs money: see it as the price of an evening, not as income.</p><ul><li>Decide before you start how much you can lose without missing it, and stop there.</li><li>Do not try to win losses back. The next draw knows nothing of the last one.</li><li>Never play with borrowed money, or with money for rent, food or bills.</li><li>Take breaks, and do not play when you are tired, upset or have been drinking.</li><li>Look at your bet history from time to time: it shows all stakes and payouts.</li></ul><p>If playing is no longer fun, or you hide it from people close to you, stop and talk to somebody: a friend, your doctor, or a helpline for gambling in your country. Support can help you with your account. Nobody under 18 may play.</p>'),
  (5, 'zh', '把游戏控制在小额',
    '<p>每种玩法的返还率都明确列出，没有一种高于 100%。玩得久了，总是要花钱的：请把它看作一晚消遣的花费，而不是收入。</p><ul><li>开始之前先想好，输掉多少也不影响生活，到了就停。</li><li>不要想着把输掉的赢回来。下一期并不知道上一期的结果。</li><li>绝不要用借来的钱，也不要用房租、伙食或账单的钱来玩。</li><li>适时休息；疲倦、心情不好或喝了酒时不要玩。</li><li>不时看看投注记录：每一笔投注和派彩都在那里。</li></ul><p>如果游戏不再有趣，或者您开始瞒着身边的人，请停下来找人谈谈：朋友、医生，或您所在地区的戒赌求助热线。客服可以协助您处理账号。未满 18 岁者不得参与。</p>'),
  (5, 'zh-TW', '把遊戲控制在小額',
    '<p>每種玩法的返還率都明確列出，沒有一種高於 100%。玩得久了，總是要花錢的：請把它看作一晚消遣的花費，而不是收入。</p><ul><li>開始之前先想好，輸掉多少也不影響生活，到了就停。</li><li>不要想著把輸掉的贏回來。下一期並不知道上一期的結果。</li><li>絕不要用借來的錢，也不要用房租、伙食或帳單的錢來玩。</li><li>適時休息；疲倦、心情不好或喝了酒時不要玩。</li><li>不時看看投注記錄：每一筆投注和派彩都在那裡。</li></ul><p>如果遊戲不再有趣，或者您開始瞞著身邊的人，請停下來找人談談：朋友、醫師，或您所在地區的戒賭求助專線。客服可以協助您處理帳號。未滿 18 歲者不得參與。</p>'),
  (5, 'ja', '遊びは小さく',
    '<p>どの賭け方の還元率も公開されており、100%を超えるものはありません。続ければお金はかかります。収入ではなく、ひと晩の楽しみの代金と考えてください。</p><ul><li>失っても困らない額を始める前に決め、そこでやめましょう。</li><li>負けを取り返そうとしないでください。次の抽選は前の結果を知りません。</li><li>借りたお金や、家賃、食費、支払いに充てるお金では決して遊ばないでください。</li><li>休憩を取りましょう。疲れているとき、気持ちが乱れているとき、お酒を飲んだときは遊ばないでください。</li><li>ときどきベット履歴を見ましょう。すべてのベットと払戻が載っています。</li></ul><p>楽しくなくなったり、身近な人に隠すようになったりしたら、やめて誰かに相談してください。友人や医師、お住まいの国のギャンブル相談窓口などです。アカウントのことはサポートがお手伝いします。18歳未満の方は遊べません。</p>'),
  (5, 'ko', '작게 즐기세요',
    '<p>모든 항목의 환급률은 공개되어 있으며 100%를 넘는 것은 없습니다. 오래 하면 돈이 듭니다. 수입이 아니라 하루 저녁의 오락비로 생각해 주세요.</p><ul><li>잃어도 괜찮은 금액을 시작하기 전에 정하고, 거기서 멈추세요.</li><li>잃은 돈을 되찾으려 하지 마세요. 다음 추첨은 지난 결과를 알지 못합니다.</li><li>빌린 돈이나 집세, 생활비, 공과금으로는 절대 하지 마세요.</li><li>쉬어 가며 하고, 피곤하거나 속상하거나 술을 마셨을 때는 하지 마세요.</li><li>가끔 베팅 내역을 살펴보세요. 모든 베팅과 당첨금이 나와 있습니다.</li></ul><p>더 이상 즐겁지 않거나 가까운 사람에게 숨기게 된다면, 멈추고 누군가와 이야기하세요. 친구나 의사, 거주 국가의 도박 문제 상담 전화가 있습니다. 계정에 관한 일은 고객센터가 도와드립니다. 18세 미만은 이용할 수 없습니다.</p>'),
  (5, 'vi', 'Chơi nhỏ thôi',
    '<p>Tỷ lệ hoàn trả của mọi cửa đều được công bố, và không cửa nào trên 100%. Chơi lâu thì tốn tiền: hãy xem đó là chi phí cho một buổi tối giải trí, không phải thu nhập.</p><ul><li>Trước khi bắt đầu, hãy định số tiền bạn có thể mất mà không ảnh hưởng gì, và dừng ở đó.</li><li>Đừng cố gỡ lại số đã thua. Lần mở thưởng sau không biết gì về lần trước.</li><li>Không bao giờ chơi bằng tiền vay, hay tiền nhà, tiền ăn, tiền hóa đơn.</li><li>Hãy nghỉ giữa chừng, và đừng chơi khi mệt, buồn bực hoặc đã uống rượu.</li><li>Thỉnh thoảng xem lại lịch sử cược: mọi tiền cược và tiền trả đều ở đó.</li></ul><p>Nếu chơi không còn vui, hoặc bạn phải giấu người thân, hãy dừng lại và nói với ai đó: bạn bè, bác sĩ hoặc đường dây hỗ trợ về cờ bạc ở nước bạn. Bộ phận hỗ trợ có thể giúp bạn về tài khoản. Người dưới 18 tuổi không được chơi.</p>'),
  (5, 'id', 'Bermainlah kecil-kecilan',
    '<p>Pengembalian setiap pilihan dicantumkan, dan tidak ada yang di atas 100%. Lama-lama bermain itu menghabiskan uang: anggaplah sebagai biaya hiburan semalam, bukan penghasilan.</p><ul><li>Tentukan sebelum mulai berapa yang boleh hilang tanpa mengganggu hidup Anda, lalu berhenti di situ.</li><li>Jangan mencoba mengejar kekalahan. Undian berikutnya tidak tahu apa-apa tentang undian sebelumnya.</li><li>Jangan pernah bermain dengan uang pinjaman, atau uang sewa, makan, atau tagihan.</li><li>Beristirahatlah, dan jangan bermain saat lelah, kesal, atau sehabis minum alkohol.</li><li>Sesekali lihat riwayat taruhan Anda: semua taruhan dan pembayaran ada di sana.</li></ul><p>Jika bermain tidak lagi menyenangkan, atau Anda menyembunyikannya dari orang terdekat, berhentilah dan bicaralah dengan seseorang: teman, dokter, atau layanan bantuan judi di negara Anda. Layanan bantuan kami dapat menolong soal akun. Orang di bawah 18 tahun tidak boleh bermain.</p>');

insert into content.announcement (published_at) values (app.now() - interval '1 day');
insert into content.announcement_text (announcement_id, lang, title, html) values
  (1, 'en', 'Every draw can be checked',
    '<p>Results are made from a seed that is locked in before the first bet and a signed beacon value that comes after the last one. Bets are no part of the formula.</p><p>Check any past round on the <a href="/fairness">fairness page</a>, on your own device. It also says who runs the beacon here.</p>'),
  (1, 'zh', '每一次开奖都可以核对',
    '<p>结果由两部分得出：第一笔投注之前就锁定的种子，以及最后一笔投注之后才出现的带签名的信标值。投注不参与计算。</p><p>您可以在<a href="/fairness">公平开奖页面</a>用自己的设备核对任何一期，页面上也写明了此处的信标由谁运行。</p>'),
  (1, 'zh-TW', '每一次開獎都可以查驗',
    '<p>結果由兩部分得出：第一筆投注之前就鎖定的種子，以及最後一筆投注之後才出現的附簽章信標值。投注不參與計算。</p><p>您可以在<a href="/fairness">公平開獎頁面</a>用自己的裝置查驗任何一期，頁面上也寫明了此處的信標由誰運作。</p>'),
  (1, 'ja', 'どの抽選も確かめられます',
    '<p>結果は、最初のベットの前に固定されたシードと、最後のベットの後に発表される署名付きのビーコンの値から作られます。ベットは計算に入りません。</p><p><a href="/fairness">公正な抽選のページ</a>で、過去のどの回もお使いの端末で確認できます。ここでビーコンを誰が運用しているかも書かれています。</p>'),
  (1, 'ko', '모든 추첨은 확인할 수 있습니다',
    '<p>결과는 첫 베팅 전에 고정된 시드와 마지막 베팅 뒤에 발표되는 서명된 비컨 값으로 만들어집니다. 베팅은 계산에 들어가지 않습니다.</p><p><a href="/fairness">공정한 추첨 페이지</a>에서 지난 회차를 사용 중인 기기로 직접 확인해 보세요. 이곳의 비컨을 누가 운영하는지도 적혀 있습니다.</p>'),
  (1, 'vi', 'Mọi lần mở thưởng đều có thể kiểm tra',
    '<p>Kết quả được tạo từ seed đã khóa trước cược đầu tiên và giá trị beacon có chữ ký xuất hiện sau cược cuối cùng. Các cược không tham gia vào phép tính.</p><p>Hãy kiểm tra bất kỳ kỳ nào đã qua trên <a href="/fairness">trang mở thưởng công bằng</a>, ngay trên thiết bị của bạn. Trang đó cũng cho biết ai vận hành beacon ở đây.</p>'),
  (1, 'id', 'Setiap undian dapat diperiksa',
    '<p>Hasil dibuat dari seed yang dikunci sebelum taruhan pertama dan nilai beacon bertanda tangan yang datang setelah taruhan terakhir. Taruhan tidak ikut dihitung.</p><p>Periksa ronde mana pun yang sudah lewat di <a href="/fairness">halaman undian yang adil</a>, di perangkat Anda sendiri. Halaman itu juga menyebut siapa yang menjalankan beacon di sini.</p>');

insert into content.about (lang, html) values
  ('en',
    '<p>Sum28 is a timed number game. Every few minutes a round ends with three digits from 0 to 9, and bets are placed on their sum: long or short, odd or even, or the number itself.</p><h3>What we stand by</h3><ul><li>Every draw can be worked out again by anybody, on the <a href="/fairness">fairness page</a> or offline.</li><li>Chance, odds and return of every play are printed before you bet, and in the <a href="/rules">rules</a>.</li><li>Money is kept in exact numbers, and every movement stands in your statement.</li><li>A round that cannot be drawn is void, and every stake in it is returned.</li><li>Accounts of the house that bet are marked as robots wherever you see them.</li></ul><p>Playing is for adults of 18 or over, and costs money on average. Please keep it small.</p>'),
  ('zh',
    '<p>Sum28 是一款定时开奖的数字游戏。每隔几分钟，一期以三个 0 到 9 的数字结束，投注的对象是它们的和：多或空、单或双，或和值本身。</p><h3>我们的承诺</h3><ul><li>任何人都可以在<a href="/fairness">公平开奖页面</a>或离线重新计算每一次开奖。</li><li>每种玩法的概率、赔率和返还率都在投注前列出，也写在<a href="/rules">规则</a>里。</li><li>资金以精确数字记账，每一笔变动都在您的资金明细中。</li><li>无法开奖的一期作废，其中每一笔投注额全额退还。</li><li>平台自己的投注账号，凡出现之处都标明为机器人。</li></ul><p>游戏仅限年满 18 岁的成年人，平均而言是要花钱的。请控制在小额。</p>'),
  ('zh-TW',
    '<p>Sum28 是一款定時開獎的數字遊戲。每隔幾分鐘，一期以三個 0 到 9 的數字結束，投注的對象是它們的和：多或空、單或雙，或和值本身。</p><h3>我們的承諾</h3><ul><li>任何人都可以在<a href="/fairness">公平開獎頁面</a>或離線重新計算每一次開獎。</li><li>每種玩法的機率、賠率和返還率都在投注前列出，也寫在<a href="/rules">規則</a>裡。</li><li>資金以精確數字記帳，每一筆變動都在您的資金明細中。</li><li>無法開獎的一期作廢，其中每一筆投注額全額退還。</li><li>平台自己的投注帳號，凡出現之處都標明為機器人。</li></ul><p>遊戲僅限年滿 18 歲的成年人，平均而言是要花錢的。請控制在小額。</p>'),
  ('ja',
    '<p>Sum28は、時間ごとに抽選が行われる数字のゲームです。数分ごとに、0から9までの数字3つで1回が終わり、その合計に賭けます。ロングかショートか、奇数か偶数か、または合計の数そのものです。</p><h3>お約束すること</h3><ul><li>どの抽選も、<a href="/fairness">公正な抽選のページ</a>またはオフラインで、誰でも計算し直せます。</li><li>すべての賭け方の確率、オッズ、還元率は、ベットの前と<a href="/rules">ルール</a>に表示されます。</li><li>お金は正確な数で記録され、すべての動きが明細に載ります。</li><li>抽選できない回は無効とし、ベット額を全額お返しします。</li><li>運営者側のアカウントによるベットは、どこでもロボットと表示されます。</li></ul><p>18歳以上の方だけが遊べます。平均すればお金がかかる遊びです。少額にとどめてください。</p>'),
  ('ko',
    '<p>Sum28은 정해진 시간마다 추첨하는 숫자 게임입니다. 몇 분마다 0부터 9까지의 숫자 세 개로 한 회차가 끝나며, 그 합에 베팅합니다. 롱이나 숏, 홀이나 짝, 또는 합계 숫자 자체를 고를 수 있습니다.</p><h3>저희가 지키는 것</h3><ul><li>누구나 <a href="/fairness">공정한 추첨 페이지</a>에서 또는 오프라인으로 모든 추첨을 다시 계산할 수 있습니다.</li><li>모든 항목의 확률, 배당률, 환급률을 베팅 전에, 그리고 <a href="/rules">규칙</a>에 표시합니다.</li><li>돈은 정확한 숫자로 기록되며 모든 움직임이 내역에 남습니다.</li><li>추첨할 수 없는 회차는 무효로 하고 모든 베팅 금액을 돌려드립니다.</li><li>운영자 측 계정의 베팅은 어디에서나 로봇으로 표시됩니다.</li></ul><p>만 18세 이상만 이용할 수 있으며, 평균적으로 돈이 드는 놀이입니다. 작게 즐겨 주세요.</p>'),
  ('vi',
    '<p>Sum28 là trò chơi con số theo giờ. Cứ vài phút, một kỳ kết thúc bằng ba chữ số từ 0 đến 9, và bạn cược vào tổng của chúng: long hay short, lẻ hay chẵn, hoặc chính con số đó.</p><h3>Điều chúng tôi cam kết</h3><ul><li>Ai cũng có thể tính lại mọi lần mở thưởng, trên <a href="/fairness">trang mở thưởng công bằng</a> hoặc ngoại tuyến.</li><li>Xác suất, tỷ lệ cược và hoàn trả của mọi cửa được nêu trước khi bạn cược và trong <a href="/rules">luật chơi</a>.</li><li>Tiền được ghi bằng con số chính xác, và mọi biến động đều có trong sao kê của bạn.</li><li>Kỳ không thể mở thưởng sẽ bị hủy, và mọi tiền cược được hoàn lại.</li><li>Tài khoản cược của nhà cái được ghi rõ là robot ở mọi nơi bạn thấy.</li></ul><p>Trò chơi dành cho người từ 18 tuổi trở lên và tính trung bình là tốn tiền. Hãy chơi nhỏ.</p>'),
  ('id',
    '<p>Sum28 adalah permainan angka berwaktu. Setiap beberapa menit, satu ronde berakhir dengan tiga angka dari 0 sampai 9, dan taruhan dipasang pada jumlahnya: long atau short, ganjil atau genap, atau angka itu sendiri.</p><h3>Yang kami pegang</h3><ul><li>Setiap undian dapat dihitung ulang oleh siapa pun, di <a href="/fairness">halaman undian yang adil</a> atau secara luring.</li><li>Peluang, odds, dan pengembalian setiap pilihan dicantumkan sebelum Anda bertaruh dan di <a href="/rules">aturan</a>.</li><li>Uang dicatat dengan angka yang tepat, dan setiap pergerakan ada di mutasi Anda.</li><li>Ronde yang tidak dapat diundi dibatalkan, dan semua taruhannya dikembalikan.</li><li>Akun rumah yang bertaruh selalu ditandai sebagai robot di mana pun terlihat.</li></ul><p>Permainan ini untuk orang dewasa 18 tahun ke atas, dan rata-rata menghabiskan uang. Bermainlah kecil-kecilan.</p>');

insert into content.promo (position, image) values (1, '/promos/check.svg'), (2, '/promos/returns.svg'),
  (3, '/promos/pause.svg');
insert into content.promo_title (promo_id, lang, title) values
  (1, 'en', 'Check any draw on your own device'),
  (1, 'zh', '用自己的设备核对任何一次开奖'),
  (1, 'zh-TW', '用自己的裝置查驗任何一次開獎'),
  (1, 'ja', 'どの抽選もご自分の端末で確認'),
  (1, 'ko', '모든 추첨을 내 기기에서 확인하세요'),
  (1, 'vi', 'Kiểm tra mọi lần mở thưởng trên máy của bạn'),
  (1, 'id', 'Periksa setiap undian di perangkat Anda'),
  (2, 'en', 'Chance and return of every play, in print'),
  (2, 'zh', '每种玩法的概率与返还率都写明'),
  (2, 'zh-TW', '每種玩法的機率與返還率都寫明'),
  (2, 'ja', 'すべての賭け方の確率と還元率を公開'),
  (2, 'ko', '모든 항목의 확률과 환급률을 공개합니다'),
  (2, 'vi', 'Xác suất và hoàn trả của mọi cửa đều công bố'),
  (2, 'id', 'Peluang dan pengembalian tiap pilihan tercantum'),
  (3, 'en', 'Keep it small, and take a break'),
  (3, 'zh', '控制在小额，适时休息'),
  (3, 'zh-TW', '控制在小額，適時休息'),
  (3, 'ja', '少額で、ときどき休憩を'),
  (3, 'ko', '작게 즐기고 쉬어 가세요'),
  (3, 'vi', 'Chơi nhỏ và nhớ nghỉ ngơi'),
  (3, 'id', 'Bermain kecil-kecilan, dan beristirahatlah');
