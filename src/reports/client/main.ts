document.getElementById('report');
