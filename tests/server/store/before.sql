PRAGMA application_id=1180791917;
PRAGMA user_version=2;
BEGIN TRANSACTION;
CREATE TABLE events ( arrival INTEGER PRIMARY KEY, table_n INTEGER NOT NULL REFERENCES tables, seq INTEGER NOT NULL CHECK (seq > 0), event BLOB NOT NULL, at INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "events" VALUES(1,1,1,CAST('{"e":"made","at":1794891406269,"code":"Z6CHY7","listed":false,"seed":"7901b26a5d75496ea019c7d9e7cef2e21509ba96c5742d00e887fc98d63a9e20","game":"dive","rules":1,"options":{"divers":2,"chief":false,"children":false,"companions":"seven","flashlight":false,"clock":0,"ages":[1,0],"deck":"dive-reef"},"deck":"9b9dd74993487f6fde00e8075ae3566a7ed2a6e9c9207d3af1788b8c37a7505e","host":"3dd776fc1a15d3173e48fc7339f6c32553ae9ec6656ce45960b5188413b2cbf9","seats":[]}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(2,1,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"0b53042fca0863a918209b9c1061265217c9e98a97b633975b82b370a875b9de"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(3,1,3,CAST('{"e":"sat","seat":1,"name":"P1","entropy":"","token":"97cb2e3baf41f478aa56bf254149bd643713554e3e35e885c87c88aa438903c0"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(4,1,4,CAST('{"e":"started","at":1794891406369}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(5,1,5,CAST('{"e":"did","t":210,"seat":1,"id":"ae3a0cd1-1","action":"0101000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(6,1,6,CAST('{"e":"did","t":237,"seat":0,"id":"12e2008a-1","action":"0105000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(7,1,7,CAST('{"e":"did","t":271,"seat":0,"id":"12e2008a-2","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(8,1,8,CAST('{"e":"did","t":280,"seat":0,"id":"12e2008a-3","action":"0300000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(9,1,9,CAST('{"e":"did","t":294,"seat":0,"id":"12e2008a-4","action":"0605010000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(10,1,10,CAST('{"e":"did","t":311,"seat":1,"id":"ae3a0cd1-2","action":"0601000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(11,1,11,CAST('{"e":"did","t":387,"seat":1,"id":"ae3a0cd1-3","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(12,1,12,CAST('{"e":"did","t":393,"seat":1,"id":"ae3a0cd1-4","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(13,1,13,CAST('{"e":"did","t":420,"seat":1,"id":"ae3a0cd1-5","action":"0300000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(14,1,14,CAST('{"e":"did","t":428,"seat":0,"id":"12e2008a-5","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(15,1,15,CAST('{"e":"did","t":461,"seat":1,"id":"ae3a0cd1-6","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(16,1,16,CAST('{"e":"did","t":498,"seat":0,"id":"12e2008a-6","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(17,1,17,CAST('{"e":"did","t":516,"seat":1,"id":"ae3a0cd1-7","action":"0201000000000000"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(18,2,1,CAST('{"e":"made","at":1794891406914,"code":"2SMTV3","listed":false,"seed":"39b5581ddc71c5cb98ca68e09f9b290b1c2e53b390213c4e6e76bde152b08c68","game":"divercity","rules":1,"options":{"divers":2,"level":"open-water","diver_cards":"none","beginners":true,"industrialist":false,"realistic":false,"any_turn":false,"empty_deck":"rulebook","first":"random","deck":"divercity-mini"},"deck":"f37fe19042cbad2fb8bc38a5496b2efeeef01d3cda7ed1660118ce0e59118062","host":"7d49611b18b770d5b85f52f2a81e1504430190d9e76f9cb99906b59ee41d661b","seats":[]}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(19,2,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"71feb7a689390d0dd74b9dbeb6fe4311489d6ea24b8e5773dd3b88ff98f66165"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(20,2,3,CAST('{"e":"sat","seat":1,"name":"P1","entropy":"","token":"6990cafd21e17de5fe8f89fcfb77bd3817bc2a3787eb731bf8da086da7c11f19"}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(21,2,4,CAST('{"e":"started","at":1794891406991}' AS BLOB),1794891406);
INSERT INTO "events" VALUES(22,2,5,CAST('{"e":"did","t":17,"seat":1,"id":"95283a00-1","action":"0700020000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(23,2,6,CAST('{"e":"did","t":33,"seat":0,"id":"1d3ff354-1","action":"0702000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(24,2,7,CAST('{"e":"did","t":36,"seat":1,"id":"95283a00-2","action":"0700050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(25,2,8,CAST('{"e":"did","t":41,"seat":0,"id":"1d3ff354-2","action":"0302000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(26,2,9,CAST('{"e":"did","t":46,"seat":0,"id":"1d3ff354-3","action":"0701040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(27,2,10,CAST('{"e":"did","t":48,"seat":1,"id":"95283a00-3","action":"0700030000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(28,2,11,CAST('{"e":"did","t":50,"seat":0,"id":"1d3ff354-4","action":"0700010000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(29,2,12,CAST('{"e":"did","t":52,"seat":1,"id":"95283a00-4","action":"0600000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(30,2,13,CAST('{"e":"did","t":54,"seat":0,"id":"1d3ff354-5","action":"0703040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(31,2,14,CAST('{"e":"did","t":57,"seat":1,"id":"95283a00-5","action":"0302000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(32,2,15,CAST('{"e":"did","t":61,"seat":1,"id":"95283a00-6","action":"0503000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(33,2,16,CAST('{"e":"did","t":66,"seat":0,"id":"1d3ff354-6","action":"0501000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(34,2,17,CAST('{"e":"did","t":69,"seat":1,"id":"95283a00-7","action":"0502000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(35,2,18,CAST('{"e":"did","t":99,"seat":0,"id":"1d3ff354-7","action":"0701000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(36,2,19,CAST('{"e":"did","t":110,"seat":1,"id":"95283a00-8","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(37,2,20,CAST('{"e":"did","t":130,"seat":1,"id":"95283a00-9","action":"0701050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(38,2,21,CAST('{"e":"did","t":145,"seat":0,"id":"1d3ff354-8","action":"0703020000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(39,2,22,CAST('{"e":"did","t":162,"seat":1,"id":"95283a00-10","action":"0302000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(40,2,23,CAST('{"e":"did","t":169,"seat":1,"id":"95283a00-11","action":"0503000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(41,2,24,CAST('{"e":"did","t":182,"seat":0,"id":"1d3ff354-9","action":"0700050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(42,2,25,CAST('{"e":"did","t":195,"seat":1,"id":"95283a00-12","action":"0600000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(43,2,26,CAST('{"e":"did","t":210,"seat":0,"id":"1d3ff354-10","action":"0701000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(44,2,27,CAST('{"e":"did","t":214,"seat":1,"id":"95283a00-13","action":"0600000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(45,2,28,CAST('{"e":"did","t":231,"seat":0,"id":"1d3ff354-11","action":"0302000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(46,3,1,CAST('{"e":"made","at":1794891407248,"code":"KQVK3Q","listed":false,"seed":"9b3c684fd721a20ab2c67a30b87c957bf467d48b550e42bb77f676560aac9f18","game":"divercity","rules":1,"options":{"divers":3,"level":"open-water","diver_cards":"full-team","beginners":false,"industrialist":true,"realistic":false,"any_turn":false,"empty_deck":"rulebook","first":"random","deck":"divercity-mini"},"deck":"f37fe19042cbad2fb8bc38a5496b2efeeef01d3cda7ed1660118ce0e59118062","host":"a5e66fefd2574d82dca8bff256bbcd38c601c4aaa155294aea563a2776bb8b00","seats":[]}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(47,3,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"851fa53a1444e9fc00260f1ff5a10f5299f2ace1cb11841adf2c49333cd72e57"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(48,3,3,CAST('{"e":"sat","seat":1,"name":"P1","entropy":"","token":"362fc8537c79f971a2bfec112c067bd4ff83f0b3a0ccf13142a6fe0efd38cbbc"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(49,3,4,CAST('{"e":"sat","seat":2,"name":"P2","entropy":"","token":"2b4fb08beba1f54efe0df74f0ed619bb15832609ae58a7167f1ab5f7117eb6ad"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(50,3,5,CAST('{"e":"sat","seat":3,"name":"P3","entropy":"","token":"00626d2686af400186ed2909e4297b41f5dc4b4fbb94c70571bb39253847ede0"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(51,3,6,CAST('{"e":"started","at":1794891407338}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(52,3,7,CAST('{"e":"did","t":67,"seat":2,"id":"9083156b-1","action":"0106000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(53,3,8,CAST('{"e":"did","t":72,"seat":1,"id":"8092909e-1","action":"0105000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(54,3,9,CAST('{"e":"did","t":75,"seat":2,"id":"9083156b-2","action":"0101000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(55,3,10,CAST('{"e":"did","t":77,"seat":0,"id":"171dac38-1","action":"0103000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(56,3,11,CAST('{"e":"did","t":78,"seat":1,"id":"8092909e-2","action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(57,3,12,CAST('{"e":"did","t":79,"seat":0,"id":"171dac38-2","action":"0104000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(58,3,13,CAST('{"e":"did","t":80,"seat":0,"id":"171dac38-3","action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(59,3,14,CAST('{"e":"did","t":81,"seat":2,"id":"9083156b-3","action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(60,3,15,CAST('{"e":"did","t":83,"seat":3,"id":"157bd173-1","action":"0403000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(61,3,16,CAST('{"e":"did","t":86,"seat":0,"id":"171dac38-4","action":"0803040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(62,3,17,CAST('{"e":"did","t":87,"seat":0,"id":"171dac38-5","action":"0501000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(63,3,18,CAST('{"e":"did","t":88,"seat":0,"id":"171dac38-6","action":"0804000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(64,3,19,CAST('{"e":"did","t":89,"seat":0,"id":"171dac38-7","action":"0a02010000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(65,3,20,CAST('{"e":"did","t":91,"seat":3,"id":"157bd173-2","action":"0401000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(66,3,21,CAST('{"e":"did","t":99,"seat":1,"id":"8092909e-3","action":"0702020000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(67,3,22,CAST('{"e":"did","t":102,"seat":1,"id":"8092909e-4","action":"0805000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(68,3,23,CAST('{"e":"did","t":104,"seat":3,"id":"157bd173-3","action":"0401000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(69,3,24,CAST('{"e":"did","t":105,"seat":2,"id":"9083156b-4","action":"0700000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(70,3,25,CAST('{"e":"did","t":107,"seat":2,"id":"9083156b-5","action":"0806000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(71,3,26,CAST('{"e":"did","t":111,"seat":2,"id":"9083156b-6","action":"0801050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(72,3,27,CAST('{"e":"did","t":112,"seat":3,"id":"157bd173-4","action":"0403000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(73,3,28,CAST('{"e":"did","t":115,"seat":0,"id":"171dac38-8","action":"0301000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(74,3,29,CAST('{"e":"did","t":117,"seat":0,"id":"171dac38-9","action":"0500000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(75,3,30,CAST('{"e":"did","t":118,"seat":3,"id":"157bd173-5","action":"0403000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(76,4,1,CAST('{"e":"made","at":1794891407460,"code":"HLEJJS","listed":false,"seed":"3ab7b7c239ef376a6d8c4c4f3d293067c60e945ec2b218ee9515e20eeaf6071c","game":"divercity","rules":1,"options":{"divers":2,"level":"open-water","diver_cards":"choose","beginners":false,"industrialist":false,"realistic":false,"any_turn":false,"empty_deck":"rulebook","first":"random","deck":"divercity-mini"},"deck":"f37fe19042cbad2fb8bc38a5496b2efeeef01d3cda7ed1660118ce0e59118062","host":"c06cd40ef61ea8a78d3e4c2c70d44a64593330424f239b5adbf490f72cd0af98","seats":[]}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(77,4,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"47fbbb1e4921938c46993994b56b7330db236df3e7eb703d5bf118e1762e912e"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(78,4,3,CAST('{"e":"sat","seat":1,"name":"P1","entropy":"","token":"b8608e93b73b1bde91fa51b73428ed262d94994646cbdf3f6988685f7a0546ab"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(79,4,4,CAST('{"e":"started","at":1794891407464}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(80,4,5,CAST('{"e":"did","t":2,"seat":1,"id":"23ebaca4-1","action":"0105000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(81,4,6,CAST('{"e":"did","t":3,"seat":0,"id":"71afe105-1","action":"0106000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(82,4,7,CAST('{"e":"did","t":4,"seat":1,"id":"23ebaca4-2","action":"0701010000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(83,4,8,CAST('{"e":"did","t":5,"seat":1,"id":"23ebaca4-3","action":"0805000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(84,4,9,CAST('{"e":"did","t":11,"seat":0,"id":"71afe105-2","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(85,4,10,CAST('{"e":"did","t":12,"seat":0,"id":"71afe105-3","action":"0702040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(86,4,11,CAST('{"e":"did","t":13,"seat":0,"id":"71afe105-4","action":"0b00000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(87,4,12,CAST('{"e":"did","t":14,"seat":1,"id":"23ebaca4-4","action":"0501000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(88,4,13,CAST('{"e":"did","t":17,"seat":0,"id":"71afe105-5","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(89,4,14,CAST('{"e":"did","t":18,"seat":0,"id":"71afe105-6","action":"0502000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(90,4,15,CAST('{"e":"did","t":19,"seat":0,"id":"71afe105-7","action":"0806030000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(91,4,16,CAST('{"e":"did","t":20,"seat":1,"id":"23ebaca4-5","action":"0300000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(92,4,17,CAST('{"e":"did","t":22,"seat":1,"id":"23ebaca4-6","action":"0701040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(93,4,18,CAST('{"e":"did","t":25,"seat":0,"id":"71afe105-8","action":"0300000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(94,4,19,CAST('{"e":"did","t":26,"seat":0,"id":"71afe105-9","action":"0702050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(95,4,20,CAST('{"e":"did","t":28,"seat":1,"id":"23ebaca4-7","action":"0501000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(96,4,21,CAST('{"e":"did","t":29,"seat":0,"id":"71afe105-10","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(97,4,22,CAST('{"e":"did","t":30,"seat":0,"id":"71afe105-11","action":"0703050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(98,4,23,CAST('{"e":"did","t":32,"seat":1,"id":"23ebaca4-8","action":"0702010000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(99,4,24,CAST('{"e":"did","t":33,"seat":0,"id":"71afe105-12","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(100,4,25,CAST('{"e":"did","t":34,"seat":0,"id":"71afe105-13","action":"0601000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(101,4,26,CAST('{"e":"did","t":35,"seat":1,"id":"23ebaca4-9","action":"0303000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(102,4,27,CAST('{"e":"did","t":36,"seat":1,"id":"23ebaca4-10","action":"0702030000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(103,4,28,CAST('{"e":"did","t":37,"seat":0,"id":"71afe105-14","action":"0501000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(104,5,1,CAST('{"e":"made","at":1794891407503,"code":"UWWUDX","listed":false,"seed":"4f5a8946d2bedbfa86c9ff7ec56994ec689a2d0995f53a514dbd9798f5966a57","game":"soumsoum","rules":1,"options":{"players":2,"market":true,"first":"random","deck":"soumsoum-lagoon"},"deck":"718e8839e9f33e5f9918075f692e7ffd06880529f79614e911f3138ef82b7a01","host":"0966be87183e2c6e6951e366ba2a839fb838503c8c34f3d95e01b639a3dc9483","seats":[]}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(105,5,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"44e9078648a0cf2a19dff9aefa330222a536a2ee2897f902b938bdd2410d39b3"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(106,5,3,CAST('{"e":"sat","seat":1,"name":"P1","entropy":"","token":"fe2ca76850f2f4db5694f2ce586ec628efb8db720645a2149c61d1ace4701f7d"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(107,5,4,CAST('{"e":"started","at":1794891407507}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(108,5,5,CAST('{"e":"did","t":2,"seat":1,"id":"846f6f29-1","action":"0101040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(109,5,6,CAST('{"e":"did","t":3,"seat":1,"id":"846f6f29-2","action":"0300040000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(110,5,7,CAST('{"e":"did","t":4,"seat":1,"id":"846f6f29-3","action":"0402000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(111,5,8,CAST('{"e":"did","t":5,"seat":0,"id":"a30efd0f-1","action":"0100180000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(112,5,9,CAST('{"e":"did","t":7,"seat":0,"id":"a30efd0f-2","action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(113,5,10,CAST('{"e":"did","t":8,"seat":0,"id":"a30efd0f-3","action":"0400000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(114,5,11,CAST('{"e":"did","t":9,"seat":1,"id":"846f6f29-4","action":"01020e0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(115,5,12,CAST('{"e":"did","t":10,"seat":1,"id":"846f6f29-5","action":"0300180000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(116,5,13,CAST('{"e":"did","t":10,"seat":1,"id":"846f6f29-6","action":"0402000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(117,5,14,CAST('{"e":"did","t":11,"seat":0,"id":"a30efd0f-4","action":"0101160000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(118,5,15,CAST('{"e":"did","t":12,"seat":0,"id":"a30efd0f-5","action":"03000e0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(119,5,16,CAST('{"e":"did","t":13,"seat":0,"id":"a30efd0f-6","action":"0402000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(120,5,17,CAST('{"e":"did","t":14,"seat":1,"id":"846f6f29-7","action":"0101100000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(121,5,18,CAST('{"e":"did","t":15,"seat":1,"id":"846f6f29-8","action":"0300160000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(122,5,19,CAST('{"e":"did","t":16,"seat":1,"id":"846f6f29-9","action":"0400000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(123,5,20,CAST('{"e":"did","t":17,"seat":0,"id":"a30efd0f-7","action":"0102130000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(124,5,21,CAST('{"e":"did","t":18,"seat":0,"id":"a30efd0f-8","action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(125,5,22,CAST('{"e":"did","t":19,"seat":0,"id":"a30efd0f-9","action":"0401000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(126,5,23,CAST('{"e":"did","t":20,"seat":1,"id":"846f6f29-10","action":"0101000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(127,5,24,CAST('{"e":"did","t":21,"seat":1,"id":"846f6f29-11","action":"0300130000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(128,5,25,CAST('{"e":"did","t":22,"seat":1,"id":"846f6f29-12","action":"0400000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(129,5,26,CAST('{"e":"did","t":23,"seat":0,"id":"a30efd0f-10","action":"01010b0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(130,5,27,CAST('{"e":"did","t":24,"seat":0,"id":"a30efd0f-11","action":"03000b0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(131,5,28,CAST('{"e":"did","t":24,"seat":0,"id":"a30efd0f-12","action":"0400000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(132,6,1,CAST('{"e":"made","at":1794891407534,"code":"KW9KA6","listed":false,"seed":"c9f1aad48c9f35fbc9d5a9782af0c76a77c063916db8fc4f7fff4fb84f118512","game":"divercity","rules":1,"options":{"divers":2,"level":"freediving","diver_cards":"none","beginners":true,"industrialist":false,"realistic":false,"any_turn":false,"empty_deck":"rulebook","first":"random","deck":"divercity-mini"},"deck":"f37fe19042cbad2fb8bc38a5496b2efeeef01d3cda7ed1660118ce0e59118062","host":"7b8dd3450feb8f74d36903ccd5135ed1a8589feefac6fb802e47609529685138","seats":[]}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(133,6,2,CAST('{"e":"sat","seat":0,"name":"P0","entropy":"","token":"098e442bf084e0b5e68c36e0382dba263e09c8925f8cd86d0012672562ac7a00"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(134,7,1,CAST('{"e":"made","at":1794891407536,"code":"9TG5BL","listed":false,"seed":"df1c7e79ce79530270a4a56b43d01f2deab405d7c100c09c129422145725b7af","game":"soumsoum","rules":1,"options":{"players":2,"market":false,"first":"random","deck":"soumsoum-lagoon"},"deck":"718e8839e9f33e5f9918075f692e7ffd06880529f79614e911f3138ef82b7a01","host":"8df10a848391e3cd243aa16d491b53689dacd865b7f0108d61e7a8fbab2d4ab9","seats":[]}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(135,7,2,CAST('{"e":"bot","seat":0,"bot":"random"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(136,7,3,CAST('{"e":"bot","seat":1,"bot":"random"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(137,7,4,CAST('{"e":"started","at":1794891407539}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(138,7,5,CAST('{"e":"did","t":31,"seat":1,"id":null,"action":"0102020000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(139,7,6,CAST('{"e":"did","t":33,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(140,7,7,CAST('{"e":"did","t":37,"seat":0,"id":null,"action":"01020f0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(141,7,8,CAST('{"e":"did","t":39,"seat":0,"id":null,"action":"0300020000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(142,7,9,CAST('{"e":"did","t":41,"seat":1,"id":null,"action":"0100100000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(143,7,10,CAST('{"e":"did","t":45,"seat":1,"id":null,"action":"03000f0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(144,7,11,CAST('{"e":"did","t":47,"seat":0,"id":null,"action":"01020e0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(145,7,12,CAST('{"e":"did","t":49,"seat":0,"id":null,"action":"0300100000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(146,7,13,CAST('{"e":"did","t":54,"seat":1,"id":null,"action":"0102050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(147,7,14,CAST('{"e":"did","t":55,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(148,7,15,CAST('{"e":"did","t":104,"seat":0,"id":null,"action":"0102010000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(149,7,16,CAST('{"e":"did","t":110,"seat":0,"id":null,"action":"0300050000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(150,7,17,CAST('{"e":"did","t":114,"seat":1,"id":null,"action":"0100180000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(151,7,18,CAST('{"e":"did","t":153,"seat":1,"id":null,"action":"03000e0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(152,7,19,CAST('{"e":"did","t":162,"seat":0,"id":null,"action":"0101090000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(153,7,20,CAST('{"e":"did","t":171,"seat":0,"id":null,"action":"0300180000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(154,7,21,CAST('{"e":"did","t":203,"seat":1,"id":null,"action":"0100120000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(155,7,22,CAST('{"e":"did","t":213,"seat":1,"id":null,"action":"0300120000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(156,7,23,CAST('{"e":"did","t":253,"seat":0,"id":null,"action":"01020a0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(157,7,24,CAST('{"e":"did","t":304,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(158,7,25,CAST('{"e":"did","t":353,"seat":1,"id":null,"action":"0101170000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(159,7,26,CAST('{"e":"did","t":405,"seat":1,"id":null,"action":"0300090000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(160,7,27,CAST('{"e":"did","t":454,"seat":0,"id":null,"action":"01020d0000000000"}' AS BLOB),1794891407);
INSERT INTO "events" VALUES(161,7,28,CAST('{"e":"did","t":503,"seat":0,"id":null,"action":"0300010000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(162,7,29,CAST('{"e":"did","t":553,"seat":1,"id":null,"action":"0102040000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(163,7,30,CAST('{"e":"did","t":605,"seat":1,"id":null,"action":"0300170000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(164,7,31,CAST('{"e":"did","t":653,"seat":0,"id":null,"action":"0101110000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(165,7,32,CAST('{"e":"did","t":703,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(166,7,33,CAST('{"e":"did","t":754,"seat":1,"id":null,"action":"0100030000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(167,7,34,CAST('{"e":"did","t":803,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(168,7,35,CAST('{"e":"did","t":853,"seat":0,"id":null,"action":"0100070000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(169,7,36,CAST('{"e":"did","t":904,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(170,7,37,CAST('{"e":"did","t":954,"seat":1,"id":null,"action":"01010b0000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(171,7,38,CAST('{"e":"did","t":1006,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(172,7,39,CAST('{"e":"did","t":1058,"seat":0,"id":null,"action":"0100160000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(173,7,40,CAST('{"e":"did","t":1116,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(174,7,41,CAST('{"e":"did","t":1157,"seat":1,"id":null,"action":"0101000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(175,7,42,CAST('{"e":"did","t":1162,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(176,7,43,CAST('{"e":"did","t":1208,"seat":0,"id":null,"action":"0102140000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(177,7,44,CAST('{"e":"did","t":1255,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(178,7,45,CAST('{"e":"did","t":1303,"seat":1,"id":null,"action":"0102060000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(179,7,46,CAST('{"e":"did","t":1354,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(180,7,47,CAST('{"e":"did","t":1407,"seat":0,"id":null,"action":"0101150000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(181,7,48,CAST('{"e":"did","t":1461,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891408);
INSERT INTO "events" VALUES(182,7,49,CAST('{"e":"did","t":1558,"seat":1,"id":null,"action":"0102130000000000"}' AS BLOB),1794891409);
INSERT INTO "events" VALUES(183,7,50,CAST('{"e":"did","t":1603,"seat":1,"id":null,"action":"0200000000000000"}' AS BLOB),1794891409);
INSERT INTO "events" VALUES(184,7,51,CAST('{"e":"did","t":1657,"seat":0,"id":null,"action":"0101080000000000"}' AS BLOB),1794891409);
INSERT INTO "events" VALUES(185,7,52,CAST('{"e":"did","t":1661,"seat":0,"id":null,"action":"0200000000000000"}' AS BLOB),1794891409);
CREATE TABLE records ( table_n INTEGER PRIMARY KEY REFERENCES tables, text BLOB NOT NULL) STRICT;
INSERT INTO "records" VALUES(7,CAST('{"fathom":1,"game":"soumsoum","rules":1,"options":{"players":2,"market":false,"first":"random","deck":"soumsoum-lagoon"},"deck":{"id":"soumsoum-lagoon","hash":"718e8839e9f33e5f9918075f692e7ffd06880529f79614e911f3138ef82b7a01"},"commitment":"9e8b6fcc81c67c7418958907983b91df20980b70cd04067a426b2c34479744bc","table":"c74c596c1234d41dbe5c6cd660927faf","entropy":[null,null],"seats":[{"name":"random","bot":"random"},{"name":"random","bot":"random"}],"created":"2026-11-17T04:56:47Z","sum":"a1f366ab"}
{"t":31,"seat":1,"do":"place","card":2,"at":[0,2],"state":"92a9ebbd","sum":"9e8e1ad3"}
{"t":33,"seat":1,"do":"pass","state":"530779aa","sum":"d7735dfb"}
{"t":37,"seat":0,"do":"place","card":2,"at":[3,0],"state":"e58f89bf","sum":"908f3905"}
{"t":39,"seat":0,"do":"diver","at":[0,2],"state":"c8d72950","sum":"3b26c800"}
{"t":41,"seat":1,"do":"place","card":0,"at":[3,1],"state":"41a34206","sum":"3531f3fc"}
{"t":45,"seat":1,"do":"diver","at":[3,0],"state":"88890b21","sum":"eaea0ad6"}
{"t":47,"seat":0,"do":"place","card":2,"at":[2,4],"state":"d58421d6","sum":"60f88ab4"}
{"t":49,"seat":0,"do":"diver","at":[3,1],"state":"0729aee4","sum":"013d2bc3"}
{"t":54,"seat":1,"do":"place","card":2,"at":[1,0],"state":"5d5348ac","sum":"01d97ac9"}
{"t":55,"seat":1,"do":"pass","state":"8b1ddbcc","sum":"c2e066a8"}
{"t":104,"seat":0,"do":"place","card":2,"at":[0,1],"state":"dde79811","sum":"61e9dae6"}
{"t":110,"seat":0,"do":"diver","at":[1,0],"state":"9502fc78","sum":"d65d73dd"}
{"t":114,"seat":1,"do":"place","card":0,"at":[4,4],"state":"af088a5d","sum":"92152f76"}
{"t":153,"seat":1,"do":"diver","at":[2,4],"state":"9a16fbe1","sum":"019ba2e0"}
{"t":162,"seat":0,"do":"place","card":1,"at":[1,4],"state":"ecf14a83","sum":"c46ffadb"}
{"t":171,"seat":0,"do":"diver","at":[4,4],"state":"37602532","sum":"95cced79"}
{"t":203,"seat":1,"do":"place","card":0,"at":[3,3],"state":"a9cbed8c","sum":"f53bb4d2"}
{"t":213,"seat":1,"do":"diver","at":[3,3],"state":"59ced627","sum":"5d384035"}
{"t":253,"seat":0,"do":"place","card":2,"at":[2,0],"state":"fa69e10c","sum":"bd808cda"}
{"t":304,"seat":0,"do":"pass","state":"87f5c267","sum":"852d6c69"}
{"t":353,"seat":1,"do":"place","card":1,"at":[4,3],"state":"0e968f55","sum":"107e5dd7"}
{"t":405,"seat":1,"do":"diver","at":[1,4],"state":"cc04126a","sum":"a789d554"}
{"t":454,"seat":0,"do":"place","card":2,"at":[2,3],"state":"113ad1d3","sum":"854a6243"}
{"t":503,"seat":0,"do":"diver","at":[0,1],"state":"09b82ee9","sum":"7e8c1adc"}
{"t":553,"seat":1,"do":"place","card":2,"at":[0,4],"state":"db46fea0","sum":"4fe106c4"}
{"t":605,"seat":1,"do":"diver","at":[4,3],"state":"b2383ad9","sum":"4065e6d2"}
{"t":653,"seat":0,"do":"place","card":1,"at":[3,2],"state":"ee6a4c66","sum":"adb343b8"}
{"t":703,"seat":0,"do":"pass","state":"b29313ec","sum":"218f71c8"}
{"t":754,"seat":1,"do":"place","card":0,"at":[0,3],"state":"3ec28a37","sum":"4f862f13"}
{"t":803,"seat":1,"do":"pass","state":"54d9798e","sum":"98e01788"}
{"t":853,"seat":0,"do":"place","card":0,"at":[1,2],"state":"3139c76e","sum":"fd7fcffe"}
{"t":904,"seat":0,"do":"pass","state":"aca56fba","sum":"847fc46b"}
{"t":954,"seat":1,"do":"place","card":1,"at":[2,1],"state":"dc1dfff7","sum":"d3584b49"}
{"t":1006,"seat":1,"do":"pass","state":"820a960e","sum":"9e947ce8"}
{"t":1058,"seat":0,"do":"place","card":0,"at":[4,2],"state":"82b9def3","sum":"9a070241"}
{"t":1116,"seat":0,"do":"pass","state":"f0cb35d0","sum":"552dd71e"}
{"t":1157,"seat":1,"do":"place","card":1,"at":[0,0],"state":"81b905dd","sum":"a87abd55"}
{"t":1162,"seat":1,"do":"pass","state":"f2af0c4e","sum":"bcc55ae8"}
{"t":1208,"seat":0,"do":"place","card":2,"at":[4,0],"state":"48aff20a","sum":"1978e236"}
{"t":1255,"seat":0,"do":"pass","state":"617b142c","sum":"d7559e46"}
{"t":1303,"seat":1,"do":"place","card":2,"at":[1,1],"state":"c7d470c9","sum":"e40013ef"}
{"t":1354,"seat":1,"do":"pass","state":"e3d30172","sum":"e3237ccf"}
{"t":1407,"seat":0,"do":"place","card":1,"at":[4,1],"state":"e27a9d52","sum":"42fd1c20"}
{"t":1461,"seat":0,"do":"pass","state":"5f647d91","sum":"9c3448fd"}
{"t":1558,"seat":1,"do":"place","card":2,"at":[3,4],"state":"22886955","sum":"ca132abb"}
{"t":1603,"seat":1,"do":"pass","state":"5bb00304","sum":"e6c51ad2"}
{"t":1657,"seat":0,"do":"place","card":1,"at":[1,3],"state":"55f4e4b9","sum":"99076ae5"}
{"t":1661,"seat":0,"do":"pass","state":"fa724404","sum":"c19e5d2f"}
{"result":{"winners":[0],"scores":[12,10]},"seed":"df1c7e79ce79530270a4a56b43d01f2deab405d7c100c09c129422145725b7af","sum":"5349bf86"}
' AS BLOB));
CREATE TABLE since (at INTEGER NOT NULL) STRICT;
INSERT INTO "since" VALUES(1794891403);
CREATE TABLE tables ( n INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE CHECK (length(id) = 16), code TEXT NOT NULL, listed INTEGER NOT NULL, state INTEGER NOT NULL, deadline_ms INTEGER NOT NULL, trimmed_seq INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "tables" VALUES(1,X'7F64C97F78C42190FA2BA619F15E00AB','Z6CHY7',0,1,0,0);
INSERT INTO "tables" VALUES(2,X'93A09FD35B0F266E0918DCFF977E77AF','2SMTV3',0,1,0,0);
INSERT INTO "tables" VALUES(3,X'6B45ED57B47890D3B3DB4E1CCDA0E3C1','KQVK3Q',0,1,0,0);
INSERT INTO "tables" VALUES(4,X'ED907AE8CC013A52173198DC70614DDC','HLEJJS',0,1,0,0);
INSERT INTO "tables" VALUES(5,X'DF4168A2E2CBF1D1AB3EBC387379406D','UWWUDX',0,1,0,0);
INSERT INTO "tables" VALUES(6,X'FB6D559AF7986D69E5320E606DFCE542','KW9KA6',0,0,0,0);
INSERT INTO "tables" VALUES(7,X'C74C596C1234D41DBE5C6CD660927FAF','9TG5BL',0,2,0,0);
CREATE TABLE tokens ( table_n INTEGER NOT NULL REFERENCES tables, hash BLOB NOT NULL CHECK (length(hash) = 32), role INTEGER NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (table_n, hash)) STRICT, WITHOUT ROWID;
INSERT INTO "tokens" VALUES(1,X'0B53042FCA0863A918209B9C1061265217C9E98A97B633975B82B370A875B9DE',2,0);
INSERT INTO "tokens" VALUES(1,X'3DD776FC1A15D3173E48FC7339F6C32553AE9EC6656CE45960B5188413B2CBF9',1,255);
INSERT INTO "tokens" VALUES(1,X'97CB2E3BAF41F478AA56BF254149BD643713554E3E35E885C87C88AA438903C0',2,1);
INSERT INTO "tokens" VALUES(2,X'6990CAFD21E17DE5FE8F89FCFB77BD3817BC2A3787EB731BF8DA086DA7C11F19',2,1);
INSERT INTO "tokens" VALUES(2,X'71FEB7A689390D0DD74B9DBEB6FE4311489D6EA24B8E5773DD3B88FF98F66165',2,0);
INSERT INTO "tokens" VALUES(2,X'7D49611B18B770D5B85F52F2A81E1504430190D9E76F9CB99906B59EE41D661B',1,255);
INSERT INTO "tokens" VALUES(3,X'00626D2686AF400186ED2909E4297B41F5DC4B4FBB94C70571BB39253847EDE0',2,3);
INSERT INTO "tokens" VALUES(3,X'2B4FB08BEBA1F54EFE0DF74F0ED619BB15832609AE58A7167F1AB5F7117EB6AD',2,2);
INSERT INTO "tokens" VALUES(3,X'362FC8537C79F971A2BFEC112C067BD4FF83F0B3A0CCF13142A6FE0EFD38CBBC',2,1);
INSERT INTO "tokens" VALUES(3,X'851FA53A1444E9FC00260F1FF5A10F5299F2ACE1CB11841ADF2C49333CD72E57',2,0);
INSERT INTO "tokens" VALUES(3,X'A5E66FEFD2574D82DCA8BFF256BBCD38C601C4AAA155294AEA563A2776BB8B00',1,255);
INSERT INTO "tokens" VALUES(4,X'47FBBB1E4921938C46993994B56B7330DB236DF3E7EB703D5BF118E1762E912E',2,0);
INSERT INTO "tokens" VALUES(4,X'B8608E93B73B1BDE91FA51B73428ED262D94994646CBDF3F6988685F7A0546AB',2,1);
INSERT INTO "tokens" VALUES(4,X'C06CD40EF61EA8A78D3E4C2C70D44A64593330424F239B5ADBF490F72CD0AF98',1,255);
INSERT INTO "tokens" VALUES(5,X'0966BE87183E2C6E6951E366BA2A839FB838503C8C34F3D95E01B639A3DC9483',1,255);
INSERT INTO "tokens" VALUES(5,X'44E9078648A0CF2A19DFF9AEFA330222A536A2EE2897F902B938BDD2410D39B3',2,0);
INSERT INTO "tokens" VALUES(5,X'FE2CA76850F2F4DB5694F2CE586EC628EFB8DB720645A2149C61D1ACE4701F7D',2,1);
INSERT INTO "tokens" VALUES(6,X'098E442BF084E0B5E68C36E0382DBA263E09C8925F8CD86D0012672562AC7A00',2,0);
INSERT INTO "tokens" VALUES(6,X'7B8DD3450FEB8F74D36903CCD5135ED1A8589FEEFAC6FB802E47609529685138',1,255);
INSERT INTO "tokens" VALUES(7,X'8DF10A848391E3CD243AA16D491B53689DACD865B7F0108D61E7A8FBAB2D4AB9',1,255);
CREATE INDEX tables_waiting ON tables (n) WHERE listed = 1 AND state = 0;
CREATE INDEX tables_state ON tables (state);
CREATE INDEX tables_due ON tables (deadline_ms) WHERE deadline_ms > 0 AND state <> 3;
CREATE UNIQUE INDEX events_key ON events (table_n, seq);
CREATE UNIQUE INDEX tables_code ON tables (code) WHERE code <> '' AND state < 2;
COMMIT;
